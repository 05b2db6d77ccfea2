import { markdownLimits } from '../limits.ts'

/**
 * How far a formula extends beyond its box in browsers, and what it adds by explicit lengths; both in em. Otherwise
 * negative spaces, and parts declared without width or height, would be drawn over the text around.
 */
export type Extent = { outside: number; lengths: number }

/** The parse tree of a formula: nodes, lists of them, and lists of lists. */
type Tree = Tree[] | ({ type: string } & Record<string, unknown>) | null | undefined

/**
 * The extent of a part. `advance`: it moves what follows by at least this much. `back`: it draws at most this far left of its
 * beginning. `width` and `height`: it takes at most this much.
 */
type Measure = { advance: number; back: number; width: number; height: number }

/** The extent of what KaTeX has parsed. Each estimate errs on the side of too far. */
export function extentOf(tree: unknown): Extent {
  const extent = { outside: 0, lengths: 0 }
  const { advance, back } = measure(tree as Tree, extent, 1)
  return { outside: extent.outside + Math.max(back, -advance), lengths: extent.lengths }
}

const nothing: Measure = { advance: 0, back: 0, width: 0, height: 0 }
/** Narrow letters in small print. Other characters may have no width at all. */
const narrowest = 0.12
/** The overlap with neighbors that is allowed: `\not` and `\mathrlap{/}` need it. */
const freeOverlap = 2
const freeSmash = 4

function measure(tree: Tree, extent: Extent, scale: number): Measure {
  if (!tree) return nothing
  if (Array.isArray(tree)) return inSequence(tree, extent, scale)
  const special = specials[tree.type]
  if (special) return special(tree, extent, scale)
  if (typeof tree.text === 'string') {
    return { advance: /^[A-Za-z0-9]$/.test(tree.text) ? narrowest : 0, back: 0, width: scale, height: scale }
  }
  const next = tree.type === 'sizing' ? largest : scale
  return together(partsOf(tree).map((part) => measure(part, extent, next)))
}

/** The largest of TeX's sizes, `\Huge`. */
const largest = 2.488

function partsOf(node: Exclude<Tree, Tree[] | null | undefined>): Tree[] {
  const values = node.type === 'htmlmathml' ? [node.html] : Object.values(node)
  return values.filter(
    (value): value is Tree => typeof value === 'object' && (Array.isArray(value) || isNode(value)),
  )
}

function isNode(value: object | null): boolean {
  return value !== null && 'type' in value
}

function inSequence(nodes: Tree[], extent: Extent, scale: number): Measure {
  const sum = { ...nothing }
  for (const node of nodes) {
    const next = measure(node, extent, scale)
    sum.back = Math.max(sum.back, next.back - sum.advance)
    sum.advance += next.advance
    sum.width += next.width
    sum.height = Math.max(sum.height, next.height)
  }
  return sum
}

/** Parts of which nothing is known but that they belong together: above or beside each other, in any order. */
function together(parts: Measure[]): Measure {
  const sum = { ...nothing }
  const backward = parts.reduce((total, { advance }) => total + Math.min(0, advance), 0)
  for (const { advance, back, width, height } of parts) {
    sum.advance = Math.max(sum.advance, advance)
    sum.back = Math.max(sum.back, back + Math.min(0, advance) - backward)
    sum.width += width
    sum.height += height
  }
  return { ...sum, advance: sum.advance + backward }
}

type Special = (node: Record<string, unknown> & { type: string }, extent: Extent, scale: number) => Measure

const specials: Record<string, Special> = {
  kern(node, extent, scale) {
    const length = emOf(node.dimension) * scale
    extent.lengths += Math.abs(length)
    return { ...nothing, advance: length, width: Math.abs(length) }
  },
  rule(node, extent, scale) {
    const [width = 0, height = 0, shift = 0] = [node.width, node.height, node.shift].map(
      (one) => emOf(one) * scale,
    )
    const tall = Math.abs(height) + Math.abs(shift)
    extent.lengths += Math.abs(width) + tall
    return { advance: Math.max(0, width), back: Math.max(0, -width), width: Math.abs(width), height: tall }
  },
  raisebox(node, extent, scale) {
    const by = Math.abs(emOf(node.dy)) * scale
    extent.lengths += by
    const body = measure(node.body as Tree, extent, scale)
    return { ...body, height: body.height + by }
  },
  cr(node, extent, scale) {
    addGap(node.size, extent, scale)
    return { ...nothing, height: scale }
  },
  array(node, extent, scale) {
    const rows = node.body as Tree[][]
    const stretch = Math.max(1, Number(node.arraystretch ?? 1))
    extent.lengths += (stretch - 1) * rows.length * scale
    for (const gap of (node.rowGaps ?? []) as unknown[]) addGap(gap, extent, scale)
    const cells = together(rows.flat().map((cell) => measure(cell, extent, scale)))
    return { ...cells, height: cells.height + 2 * stretch * rows.length * scale }
  },
  genfrac(node, extent, scale) {
    const bar = Math.abs(emOf(node.barSize)) * scale
    extent.lengths += bar
    const body = together([node.numer, node.denom].map((part) => measure(part as Tree, extent, scale)))
    return { ...body, height: body.height + bar }
  },
  lap(node, extent, scale) {
    const { width, height, back } = measure(node.body as Tree, extent, scale)
    const over = Math.max(0, width - freeOverlap)
    if (node.alignment === 'llap') return { ...nothing, back: back + over, height }
    extent.outside += over
    return { ...nothing, back: back + (node.alignment === 'clap' ? over : 0), height }
  },
  smash(node, extent, scale) {
    const body = measure(node.body as Tree, extent, scale)
    extent.outside += Math.max(0, body.height - freeSmash)
    return { ...body, height: 0 }
  },
}

/** Adds a gap between lines. A negative gap moves the following lines over those above. */
function addGap(size: unknown, extent: Extent, scale: number): void {
  const gap = emOf(size) * scale
  if (gap < 0) extent.outside -= gap
  else extent.lengths += gap
}

/** TeX's units, in em at ten points. */
const units: Record<string, number> = {
  em: 1,
  ex: 0.431,
  mu: 1 / 18,
  pt: 0.1,
  mm: 0.2845,
  cm: 2.845,
  in: 7.227,
  bp: 0.1004,
  pc: 1.2,
  dd: 0.107,
  cc: 1.284,
  nd: 0.1067,
  nc: 1.2802,
  sp: 1 / 655_360,
  px: 0.1004,
}

/** KaTeX limits sizes that are too large, but not those that are too negative. */
function emOf(size: unknown): number {
  if (typeof size !== 'object' || size === null) return 0
  const { number, unit } = size as { number: number; unit: string }
  const length = Math.min(number * (units[unit] ?? units.in!), markdownLimits.formulaLength)
  return length < -markdownLimits.formulaLength ? Number.NEGATIVE_INFINITY : length
}
