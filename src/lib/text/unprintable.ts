/** Control characters, halves of surrogate pairs, and what Unicode has not assigned: no name and no topic has them. */
const classes = '\\p{Cc}\\p{Cs}\\p{Cn}'
const unprintable = new RegExp(`[${classes}]+`, 'gu')

// For the API description, whose patterns all languages must read, without Unicode's categories.

/** Control characters, in a character class. */
export const controls = '\\u0000-\\u001f\\u007f-\\u009f'

/** The other characters of the Basic Multilingual Plane that are not printed: format characters, and those for private use. */
export const invisible =
  '\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ue000-\\uf8ff\\ufeff\\ufff9-\\ufffb'

/** The note of the API description on what the patterns cannot express. */
export const unprintableNote = 'Code points that Unicode has not assigned are refused.'

/** A text without unprintable characters. */
export const printableText = { pattern: `^[^${controls}]*$`, description: unprintableNote }

/** Describes a text that is printable and not blank. */
export const printableName = {
  pattern: `^[^${controls}]*[^\\s${controls}][^${controls}]*$`,
  description: unprintableNote,
}

/** Returns the position, from 1, of the first such character in a text; 0 if there is none. */
export function firstUnprintable(text: string): number {
  const at = text.search(unprintable)
  return at < 0 ? 0 : [...text.slice(0, at)].length + 1
}

/** Returns the text with each of these replaced by a space. */
export function withoutUnprintable(text: string): string {
  return text.replace(unprintable, ' ')
}

/** Returns the text without the characters that change the direction of the text after them. */
export function withoutDirection(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}
