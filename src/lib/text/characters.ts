/** Whether a text has more characters (code points) than this. Splits no more of a very long text than needed. */
export function isLonger(text: string, characters: number): boolean {
  return text.length > characters && beginningOf(text, characters).length > characters
}

/** Returns the first characters (code points) of a text: all of it, if it has no more. */
export function firstCharacters(text: string, characters: number): string {
  return isLonger(text, characters) ? beginningOf(text, characters).slice(0, characters).join('') : text
}

/** No character has more than two UTF-16 code units. */
function beginningOf(text: string, characters: number): string[] {
  return [...text.slice(0, 2 * characters + 2)]
}
