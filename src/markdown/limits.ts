/** The limits of the work and the output of one rendering. */
export const markdownLimits = {
  /** Characters of HTML. A longer message cannot be rendered. */
  html: 1_000_000,
  /** Nested quotes and lists. Deeper ones become text. */
  blockDepth: 64,
  /** Nested fences. Deeper ones become text. */
  fenceDepth: 12,
  /** Columns times rows. A bigger table stays text: short rows would multiply into many empty cells. */
  tableCells: 3_000,
  /** Characters between the asterisks of a mention or a channel link: names, a topic, an id. */
  name: 200,
  /** Characters of the address of a link, and of the text of one. */
  address: 2_000,
  /** Characters of code that get colors. A bigger block stays plain. */
  highlighted: 10_000,
  /** Steps of the highlighter, in all code of a message. The rest stays plain. */
  highlighting: 400_000,
  /** Languages that the code of a message is in, those within others included. Code in more stays plain. */
  highlighters: 12,
  /** Characters of TeX in a message that are set, and what a formula counts for besides. The rest is shown as written. */
  formulas: 1_000,
  perFormula: 20,
  /** How far a formula, and all of a message together, may draw over the text around, in em. */
  formulaOutside: 1,
  formulasOutside: 6,
  /** Em that the lengths in the formulas of a message may take together; and the longest. */
  formulaLengths: 150,
  formulaLength: 50,
  /** Pictures and videos shown below a message. With more, none is. */
  previews: 24,
  /** Linkifiers of an organization that are tried. */
  linkifiers: 200,
  /** Steps of all linkifiers together, in a message or a topic. The rest stays text. */
  linkifying: 3_000_000,
  linkifyingTopic: 60_000,
}
