/** The limits of the work and the output of one rendering. */
export const markdownLimits = {
  /**
   * Characters of HTML. A message that would have more is shown as it was written: every page that it is on has them. Code with a
   * color for each word has 250,000.
   */
  html: 300_000,
  /** Characters of the HTML of a formula. A longer one is shown as written. */
  formulaHtml: 250_000,
  /** Levels of nested quotes and lists. Deeper ones become text. */
  blockDepth: 64,
  /** Levels of nested fences. Deeper ones become text. */
  fenceDepth: 12,
  /**
   * Cells of a table, its columns times its rows. A bigger one stays text: short rows would multiply into many empty
   * cells.
   */
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
  /** Characters of TeX in a message that are set. The rest is shown as written. */
  formulas: 1_000,
  /** Characters that a formula counts for besides its own. */
  perFormula: 20,
  /** Em that a formula may draw over the text around it. */
  formulaOutside: 1,
  /** Em that all formulas of a message together may draw over the text around them. */
  formulasOutside: 6,
  /** Em that the lengths in the formulas of a message may take together. */
  formulaLengths: 150,
  /** Em of the longest of these lengths. */
  formulaLength: 50,
  /** Previews of pictures and videos below a message. With more, none is shown. */
  previews: 24,
  /** Pages that a message links to of which it shows a preview: the first ones. */
  linkPreviews: 5,
  /** Linkifiers of an organization that are tried. */
  linkifiers: 200,
  /** Steps of the program that a linkifier's pattern compiles to. */
  linkifierProgram: 500,
  /** Steps of all linkifiers together in a message. The rest stays text. */
  linkifying: 3_000_000,
  /** Steps of all linkifiers together in a topic. */
  linkifyingTopic: 60_000,
  /** Patterns of linkifiers that a node keeps compiled, those that were used last. */
  linkifiersKept: 1_000,
  /** Bounds of the character classes in a linkifier's pattern. */
  linkifierClasses: 20_000,
  /** Levels of nested parentheses in the address of a link. */
  addressParentheses: 32,
  /** Times that an address may begin in one word. */
  addressTries: 20,
  /** Steps of the program that a highlighter's pattern compiles to, in which repetitions are written out. */
  highlighterProgram: 40_000,
  /** Levels of code in a language within that of another one. */
  highlighterDepth: 12,
  /** States of a highlighter that wait for the end of inner ones. */
  highlighterStates: 500,
  /** Changes of state of a highlighter without a step forward. */
  highlighterTurns: 200,
} as const
