/** What bounds the work and the output of one rendering. */
export const limits = {
  /** Characters of HTML. Beyond it the message can not be rendered. */
  html: 1_000_000,
  /** Block levels: a quote is one, a list is two. What is deeper becomes text. */
  blockLevels: 64,
  /** Bold within italic within … What is deeper stays as it was written. */
  inlineLevels: 20,
  /** Columns times rows. A bigger table stays text: short rows would multiply into many empty cells. */
  tableCells: 5_000,
  /** Characters between the asterisks of a mention: a full name and an id. */
  mention: 130,
}
