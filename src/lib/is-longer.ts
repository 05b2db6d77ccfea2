/** Whether a text has more characters (code points). What is far too long is not taken apart as a whole. */
export function isLonger(text: string, characters: number) {
  return text.length > characters && [...text.slice(0, 2 * characters + 2)].length > characters
}
