/** Returns a number with its noun, in the plural unless it is 1: `1 message`, `3 messages`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
