import { fixed, text } from './chart.ts'

/** What operations cost, in microseconds, for numbers of which each is ten times the one before. */
export type CurveChart = {
  title: string
  /** What there is more of. */
  of: string
  counts: number[]
  series: { name: string; values: number[] }[]
}

type Point = { x: number; y: number }

const width = 720
const plot = { left: 70, right: 470, top: 56, height: 300 }
const bottom = plot.top + plot.height
const labelHeight = 16
/** They differ in lightness too, for those who do not tell the colors apart. On light pages, and on dark ones. */
const colors: [light: string, dark: string][] = [
  ['#0b62c4', '#6cb0ff'],
  ['#b35900', '#ffa64d'],
  ['#0a7d4f', '#4fd39b'],
  ['#a3216e', '#ff8ac6'],
  ['#6b4fc9', '#b9a6ff'],
  ['#7a6a00', '#e3cf4a'],
  ['#555555', '#bbbbbb'],
  ['#b3261e', '#ff8f85'],
]

/** A chart as SVG, both of whose axes are logarithmic, readable on light and dark pages. The same every time. */
export function drawnCurves({ title, of, counts, series }: CurveChart): string {
  const scale = scaleOf(series.flatMap(({ values }) => values))
  const x = (i: number) => plot.left + 20 + (i * (plot.right - plot.left - 40)) / (counts.length - 1)
  const lines = series.map(({ values }) => values.map((value, i) => ({ x: x(i), y: scale.y(value) })))
  const ends = labelPlaces(lines.map((points) => points.at(-1)!.y))
  const parts = [
    text(plot.left, 20, title),
    text(plot.left, 40, 'Processor time of Node and PostgreSQL; dotted: in proportion'),
    ...scale.ticks.map((value) => gridLine(scale.y(value), value)),
    ...proportions(scale, x, counts.length),
    ...counts.map((count, i) => text(x(i), bottom + 20, count.toLocaleString('en'), 'middle')),
    text((plot.left + plot.right) / 2, bottom + 40, of, 'middle'),
    ...lines.map((points, k) => line(points, k)),
    ...series.map(({ name }, k) => label(name, lines[k]!.at(-1)!, ends[k]!, k)),
  ]
  const height = bottom + 50
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>
text { font: 13px sans-serif; fill: #333 }
.grid { stroke: #999; stroke-opacity: 0.4 }
.proportion { stroke: #999; stroke-opacity: 0.7; stroke-dasharray: 2 5 }
polyline { fill: none; stroke-width: 2 }
.lead { stroke-opacity: 0.6 }
${colors.map(([light], k) => `.c${k} { stroke: ${light} } circle.c${k} { fill: ${light} }`).join('\n')}
@media (prefers-color-scheme: dark) {
  text { fill: #ddd }
  ${colors.map(([, dark], k) => `.c${k} { stroke: ${dark} } circle.c${k} { fill: ${dark} }`).join('\n  ')}
}
</style>
${parts.join('\n')}
</svg>
`
}

type Scale = { low: number; high: number; ticks: number[]; y(value: number): number }

/** From a power of ten to another one. */
function scaleOf(values: number[]): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    low,
    high,
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    y: (value) => bottom - ((Math.log10(value) - low) / (high - low)) * plot.height,
  }
}

/** What would grow as the number does, from each power of ten on. */
function proportions({ low, high, y }: Scale, x: (i: number) => number, count: number): string[] {
  return Array.from({ length: high - low }, (_, i) => {
    const decades = Math.min(count - 1, high - low - i)
    const [y1, y2] = [y(10 ** (low + i)), y(10 ** (low + i + decades))]
    return `<line class="proportion" x1="${fixed(x(0))}" y1="${fixed(y1)}" x2="${fixed(x(decades))}" y2="${fixed(y2)}"/>`
  })
}

function gridLine(y: number, value: number): string {
  const rule = `<line class="grid" x1="${plot.left}" y1="${fixed(y)}" x2="${plot.right}" y2="${fixed(y)}"/>`
  return `${rule}\n${text(plot.left - 8, y + 4, timeOf(value), 'end')}`
}

function timeOf(microseconds: number): string {
  if (microseconds < 1_000) return `${microseconds} µs`
  if (microseconds < 1_000_000) return `${microseconds / 1_000} ms`
  return `${microseconds / 1_000_000} s`
}

function line(points: Point[], k: number): string {
  const path = points.map(({ x, y }) => `${fixed(x)},${fixed(y)}`).join(' ')
  const circles = points.map(({ x, y }) => `<circle class="c${k}" cx="${fixed(x)}" cy="${fixed(y)}" r="3"/>`)
  return [`<polyline class="c${k}" points="${path}"/>`, ...circles].join('\n')
}

/** The name of a line stands at its end, as near as others leave room. */
function label(name: string, end: Point, y: number, k: number): string {
  const x = plot.right + 8
  const lead = `<line class="c${k} lead" x1="${fixed(end.x + 5)}" y1="${fixed(end.y)}" x2="${x}" y2="${fixed(y)}"/>`
  return `${lead}\n<circle class="c${k}" cx="${x + 4}" cy="${fixed(y)}" r="4"/>\n${text(x + 14, y + 4, name)}`
}

/** Moves them apart until none covers another. */
function labelPlaces(wanted: number[]): number[] {
  const order = wanted.map((y, k) => ({ y, k })).sort((a, b) => a.y - b.y)
  for (let i = 1; i < order.length; i++) {
    order[i]!.y = Math.max(order[i]!.y, order[i - 1]!.y + labelHeight)
  }
  const beyond = Math.max(0, (order.at(-1)?.y ?? 0) - bottom)
  for (let i = order.length - 1, most = bottom; i >= 0; i--, most -= labelHeight) {
    if (beyond > 0) order[i]!.y = Math.min(order[i]!.y, most)
  }
  return order.sort((a, b) => a.k - b.k).map(({ y }) => y)
}
