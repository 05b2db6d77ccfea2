import { lastIn } from '../must.ts'

/**
 * Returns the checksum of two concatenated texts from the checksum of each, without reading them again. A checksum is
 * the remainder of a polynomial over two numbers, 0 and 1: the first text is followed by as many zeros as the second
 * one is long (`shift`), and the second is added to the result.
 */
export function combineCrc32(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0
}

/** Returns the effect of appending this many bytes on the checksum of the text before them. */
export function crc32Shift(bytes: number): number {
  let shift = one
  for (let rest = bytes, k = 3; rest > 0; rest = Math.floor(rest / 2), k++) {
    if (rest % 2 === 1) shift = multiply(powers[k % powers.length]!, shift)
  }
  return shift
}

/** The polynomial's bits are written the other way round: the highest one stands for x to the power of 0. */
const polynomial = 0xedb88320
const one = 1 << 31

/** x to the powers of 1, 2, 4, 8 … */
const powers = (() => {
  const powers = [1 << 30]
  while (powers.length < 32) powers.push(multiply(lastIn(powers), lastIn(powers)))
  return powers
})()

function multiply(a: number, b: number): number {
  let product = 0
  let term = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= term
    term = term & 1 ? (term >>> 1) ^ polynomial : term >>> 1
  }
  return product
}
