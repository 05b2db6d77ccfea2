/**
 * The checksum of two texts put together, from the checksums of each, without looking at them again. A checksum is the
 * remainder of a polynomial over two numbers, 0 and 1: behind the first text come as many zeros as the second one is
 * long (`shift`), and to that the second is added.
 */
export function combineCrc32(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0
}

/** What so many bytes of a second text do to the checksum of the first one. */
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
  while (powers.length < 32) powers.push(multiply(powers.at(-1)!, powers.at(-1)!))
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
