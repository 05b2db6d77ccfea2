/** Whether a text has more characters (code points). Does not take apart a text that is far too long. */
export function isLonger(text: string, characters: number) {
  return text.length > characters && [...text.slice(0, 2 * characters + 2)].length > characters
}
