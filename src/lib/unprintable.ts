/** Control characters, halves of surrogate pairs, and what Unicode has not assigned: no name and no topic has them. */
const classes = '\\p{Cc}\\p{Cs}\\p{Cn}'
const unprintable = new RegExp(`[${classes}]+`, 'gu')

/** What a text matches that has no such character. */
export const printablePattern = `^[^${classes}]*$`

/** The same for a text that is not blank. */
export const printableNamePattern = `^(?=\\s*\\S)[^${classes}]+$`

/** Returns the position, from 1, of the first such character in a text; 0 if there is none. */
export function firstUnprintable(text: string): number {
  const at = text.search(unprintable)
  return at < 0 ? 0 : [...text.slice(0, at)].length + 1
}

/** Returns the text with each of these replaced by a space. */
export function withoutUnprintable(text: string): string {
  return text.replace(unprintable, ' ')
}
