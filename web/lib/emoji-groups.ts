/** The groups in which emoji are shown, in this order. */
export const emojiGroups = [
  'own',
  'smileys',
  'people',
  'nature',
  'food',
  'activities',
  'travel',
  'objects',
  'symbols',
  'flags',
] as const

type EmojiGroup = (typeof emojiGroups)[number]

/**
 * The groups of ranges of characters, as hexadecimal numbers. The first range that holds a character counts, and its place
 * is that of the character within its group; all others are symbols.
 */
const written: readonly (readonly [EmojiGroup, string])[] = [
  ['flags', '1f1e6-1f1ff 1f3f3-1f3f4 1f3c1 1f38c 1f6a9'],
  ['people', '1f645-1f647 1f64b-1f64f 1f90c 1f90f 1f918-1f91f'],
  ['people', '1f926 1f930-1f939 1f977 261d 270a-270d'],
  ['smileys', '1f600-1f64f 1f90d-1f917 1f920-1f92f 1f970-1f97a 1fae0-1fae8'],
  ['smileys', '1f479-1f47b 1f47d-1f480 1f48b-1f48c 1f493-1f49f 1f4a2-1f4a9'],
  ['smileys', '1f4ab-1f4af 1f573 1f5a4 2639-263a 2763-2764'],
  ['people', '1f440-1f450 1f464-1f487 1f385 1f3c2-1f3c4 1f3c7'],
  ['people', '1f3ca-1f3cc 1f574-1f575 1f57a 1f590-1f596 1f5e3'],
  ['people', '1f6a3 1f6b4-1f6b6 1f9b4-1f9b9 1f9bb 1f9cd-1f9df'],
  ['people', '1f9d1-1f9e0 1fac0-1fac6 1faf0-1faf8 1f4aa 26f7-26f9'],
  ['food', '1f32d-1f330 1f336 1f33d 1f345-1f37f 1f382'],
  ['food', '1f942-1f944 1f950-1f96f 1f99e 1f9aa 1f9c0-1f9cb'],
  ['food', '1fad0-1fadb 2615'],
  ['nature', '1f400-1f43f 1f331-1f344 1f490 1f940 1f980-1f9ae'],
  ['nature', '1f577-1f578 1fab0-1fabf 1facd-1facf 1f54a 2618'],
  ['activities', '1f380-1f384 1f386-1f3c0 1f3c5-1f3d3 1f3f8-1f3f9 1f93a-1f94f'],
  ['activities', '1f9e7-1f9e9 1fa80-1fa86 1f52e 1f0cf 1f004'],
  ['activities', '26bd-26be 26f3 265f-2660 2663-2666 2728'],
  ['travel', '1f680-1f6a8 1f6ab-1f6ac 1f6b2-1f6b3 1f6cc-1f6ff 1f3d4-1f3f0'],
  ['travel', '1f300-1f32c 1f5fa-1f5ff 1f54b-1f54d 1f550-1f567 26e9-26fd'],
  ['travel', '231a-231b 23f0-23f3 2600-2604 2614 26c4-26c8'],
  ['travel', '2708 2693 2744 2b50 26a1'],
  ['symbols', '1f500-1f506 1f517-1f524 1f52f-1f549 1f5e8-1f5ef 1f4a0'],
  ['symbols', '1f51e-1f524 1f4f4-1f4f6 1f7e0-1f7f0 1f170-1f251 1faef'],
  ['objects', '1f451-1f463 1f488-1f5f3 1f97b-1f97f 1f9ba-1f9ff 1fa70-1faaf'],
  ['objects', '260e 2328 2692-2699 26b0-26b1 26cf-26d3'],
  ['objects', '2702 2709 270f-2712 1f6aa 1f6bf-1f6cb'],
]

const ranges = written.flatMap(([group, text]) =>
  text.split(' ').map((range) => {
    const [from = 0, to = from] = range.split('-').map((code) => Number.parseInt(code, 16))
    return { group, from, to }
  }),
)

/**
 * Returns the group of an emoji, and its place there, by its code: the characters as hexadecimal numbers, with hyphens
 * between them.
 */
export function placeOfEmoji(code: string): { group: EmojiGroup; place: number } {
  const first = Number.parseInt(code, 16)
  const at = ranges.findIndex(({ from, to }) => first >= from && first <= to)
  return { group: ranges[at]?.group ?? 'symbols', place: at < 0 ? ranges.length : at }
}

/**
 * Returns the index above or below another one, in a grid whose groups each begin a line of their own; the same index
 * where there is none. `sizes`: how many entries each group has.
 */
export function indexBeside(sizes: readonly number[], at: number, columns: number, way: 1 | -1): number {
  const lines: { start: number; length: number }[] = []
  let start = 0
  for (const size of sizes) {
    for (let i = 0; i < size; i += columns)
      lines.push({ start: start + i, length: Math.min(columns, size - i) })
    start += size
  }
  const line = lines.findIndex((one) => at >= one.start && at < one.start + one.length)
  const [here, next] = [lines[line], lines[line + way]]
  if (!here || !next) return at
  return next.start + Math.min(at - here.start, next.length - 1)
}
