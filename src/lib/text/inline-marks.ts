// The server reads the HTML of mails with this table, and the web client pasted HTML, so it imports nothing.

/** The marks that Markdown has around a text for the elements of HTML around it. Code has marks of its own. */
export const inlineMarks: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '*'],
  ['em', '*'],
  ['s', '~~'],
  ['del', '~~'],
  ['strike', '~~'],
])
