/**
 * As PostgreSQL's lower() where the database has UTF-8 letters (C.UTF-8, not C): every character becomes a single one
 * for itself. JavaScript alone would look at the neighbors (Σ at the end of a word) and make two of İ.
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
