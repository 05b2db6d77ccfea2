// Words that make a text hard to read, and spellings of another English than the rest, in comments, tests, docs and everything that the product says.

/** Words and phrases that no text has; a phrase may continue on the next line of a comment. */
const words =
  /colour|favourit|behaviour|honour|cancell(?:ed|ing)|whoever|somebody|anybody|\bone['’]s\b|\boneself\b|\bso many\b|\bat once\b|\bwhat (?:is|was|were|has been|have been) (?:[\w’'-]+ ){1,8}?(?:is|are|was|were|has|have|stays|comes|counts?|does|may|must|can|means|belongs)\b/gi

/** The spelling of "email" that the API and all our texts have. German texts say E-Mail. */
const hyphenated = /(?<![\w-])(?:[Ee]-mail|E-MAIL)/g

/** Returns the avoided words in a text, each with its line. */
export function avoidedWords(text: string): { word: string; line: number }[] {
  const { joined, lineAt } = joinLines(text)
  return [...joined.matchAll(words), ...joined.matchAll(hyphenated)].map(({ 0: word, index }) => ({
    word,
    line: lineAt(index),
  }))
}

/** Joins the lines of a text, without what begins a line of a comment. */
function joinLines(text: string) {
  const starts: number[] = []
  let joined = ''
  for (const line of text.split('\n')) {
    starts.push(joined.length)
    joined += `${line.replace(/^[ \t]*(?:\*\/|\*|\/\/|--|#|\|)?[ \t]*/, '').trimEnd()} `
  }
  return { joined, lineAt: (index: number) => starts.findLastIndex((start) => start <= index) + 1 }
}
