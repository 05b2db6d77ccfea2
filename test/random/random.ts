/** Returns numbers between 0 and 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Returns the seed of a test that varies from run to run: RANDOM_SEED, or a new seed, which is printed so that a
 * failure can be repeated.
 */
export function seedOfRun(name: string): number {
  const seed = Number(process.env.RANDOM_SEED ?? Math.floor(Math.random() * 2 ** 32))
  process.stdout.write(`${name}: RANDOM_SEED=${seed}\n`)
  return seed
}

export function pickFrom<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!
}
