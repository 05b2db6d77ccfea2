/** The limits of custom profile fields. */
export const profileFieldLimits = {
  /** Characters of a field's name. */
  profileFieldNameLength: 40,
  /** Characters of a field's hint. */
  profileFieldHintLength: 80,
  /**
   * Characters of the JSON that describes a field: each change of a field tells every user of all of them.
   */
  profileFieldDataLength: 50_000,
  /** Fields of an organization. */
  profileFields: 100,
  /** Users in a value. */
  profileFieldPeople: 1_000,
  /** Fields in the summary of a profile. */
  profileFieldsInSummary: 2,
  /** Characters of a value of the kind "short text". */
  shortProfileTextLength: 50,
  /** Characters of a value of the kind "long text". */
  longProfileTextLength: 500,
  /** Characters of a value of the kind "link". */
  profileUrlLength: 2_000,
  /** Users whose values are removed in the first step, when a field or a choice is deleted. */
  valuesPerStep: 500,
} as const
