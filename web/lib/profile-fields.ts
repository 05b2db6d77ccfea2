/** The kinds of profile fields, by their numbers in the API. */
export const fieldTypes = {
  1: 'org_field_type.short_text',
  2: 'org_field_type.long_text',
  3: 'org_field_type.select',
  4: 'org_field_type.date',
  5: 'org_field_type.url',
  6: 'org_field_type.users',
  7: 'org_field_type.account',
  8: 'org_field_type.pronouns',
} as const

export const selectType = 3
export const accountType = 7
/** Fields of these types do not stand in the card of a user. */
export const tooLongForCard = [2, 6]

/** A value of a list of options: `value` is what users have chosen, so it stays when the text changes. */
export type FieldOption = { value: string; text: string }

/** Reads the options of a field in their order. */
export function optionsIn(fieldData: string): FieldOption[] {
  const data: Record<string, { text: string; order: string }> = fieldData === '' ? {} : JSON.parse(fieldData)
  return Object.entries(data)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([value, { text }]) => ({ value, text }))
}

/**
 * Writes options as the API has them. New ones get values that no option had before, also none that is removed now:
 * users who have chosen that one would have chosen the new one.
 */
export function optionData(
  options: FieldOption[],
  before: FieldOption[],
): Record<string, { text: string; order: string }> {
  const values = [...before, ...options].map(({ value }) => Number(value))
  let next = Math.max(-1, ...values.filter(Number.isFinite))
  const entries = options
    .filter(({ text }) => text.trim() !== '')
    .map(({ value, text }, index) => {
      const key = value === '' ? String(++next) : value
      return [key, { text: text.trim(), order: String(index + 1) }] as const
    })
  return Object.fromEntries(entries)
}

type Account = { subtype: string; url_pattern?: string }

/** Reads the kind of an external account. */
export function accountIn(fieldData: string): Account {
  return fieldData === '' ? { subtype: 'custom', url_pattern: '' } : JSON.parse(fieldData)
}
