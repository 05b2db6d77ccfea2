/**
 * A name in lower case, as the server compares names of topics and channels: each character becomes one, whatever is beside
 * it. JavaScript makes two of İ, and another Σ at the end of a word.
 */
export function lowerName(name: string): string {
  return name.replace(/./gsu, (one) => [...one.toLowerCase()][0] ?? '')
}

export function namesMatch(a: string, b: string): boolean {
  return lowerName(a) === lowerName(b)
}
