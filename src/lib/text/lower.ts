/**
 * Returns a text in lower case as PostgreSQL's lower() does in a database with UTF-8 letters (C.UTF-8, not C): each character becomes one
 * character, whatever stands beside it. JavaScript would look at the neighbors of Σ, and make two characters of İ.
 */
export function lower(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return Array.from(text, (character) =>
    String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0),
  ).join('')
}

export function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text)
}
