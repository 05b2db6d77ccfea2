import { shown } from '../report.ts'

/** Two series over the same points, which stand at equal distances; the upper one first. */
export type Chart = { title: string; points: string[]; series: { name: string; values: number[] }[] }

const [width, height] = [640, 310]
const plot = { left: 70, right: 600, top: 56, bottom: 250 }

/** A line chart as SVG, readable on light and dark pages. The same every time. */
export function drawn({ title, points, series }: Chart): string {
  const top = roundUp(Math.max(...series.flatMap(({ values }) => values)))
  const x = (i: number) => plot.left + 40 + (i * (plot.right - plot.left - 100)) / (points.length - 1)
  const y = (value: number) => plot.bottom - (value / top) * (plot.bottom - plot.top)
  const grid = [0, 1, 2, 3, 4].map((n) => gridLine(y((top * n) / 4), (top * n) / 4))
  const names = points.map((point, i) => text(x(i), plot.bottom + 40, point, 'middle'))
  const lines = series.map(({ name, values }, k) =>
    line(
      values.map((value, i) => ({ x: x(i), y: y(value), value })),
      { color: colorOf(name), isUpper: k === 0 },
    ),
  )
  const legend = series.map(({ name }, k) => legendEntry(name, k))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>
text { font: 13px sans-serif; fill: #333 }
.grid { stroke: #999; stroke-opacity: 0.4 }
.ours { stroke: #0b62c4; fill: #0b62c4 }
.bare { stroke: #b35900; fill: #b35900 }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd }
  .ours { stroke: #6cb0ff; fill: #6cb0ff }
  .bare { stroke: #ffa64d; fill: #ffa64d }
}
polyline.ours, polyline.bare { fill: none; stroke-width: 2 }
</style>
${[text(plot.left, 20, title), ...legend, ...grid, ...names, ...lines].join('\n')}
</svg>
`
}

/** The next of 1, 2, 4 and 8 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 4, 8].find((factor) => factor * power >= value) ?? 10)
}

function gridLine(y: number, value: number) {
  const label = value.toLocaleString('en')
  const to = `x2="${plot.right}" y2="${fixed(y)}"`
  return `<line class="grid" x1="${plot.left}" y1="${fixed(y)}" ${to}/>\n${text(plot.left - 8, y + 4, label, 'end')}`
}

function colorOf(name: string) {
  return name.startsWith('bare') ? 'bare' : 'ours'
}

type Look = { color: string; isUpper: boolean }

function line(points: { x: number; y: number; value: number }[], { color, isUpper }: Look) {
  const path = points.map(({ x, y }) => `${fixed(x)},${fixed(y)}`).join(' ')
  // Those of the lower series stand below its points, so that they do not cover the upper one.
  const shift = isUpper ? -9 : 19
  return [
    `<polyline class="${color}" points="${path}"/>`,
    ...points.map(({ x, y }) => `<circle class="${color}" cx="${fixed(x)}" cy="${fixed(y)}" r="3.5"/>`),
    ...points.map(({ x, y, value }) => text(x, y + shift, shown(value), 'middle')),
  ].join('\n')
}

function legendEntry(name: string, k: number) {
  const x = plot.left + k * 260
  return `<circle class="${colorOf(name)}" cx="${x + 5}" cy="38" r="4"/>\n${text(x + 16, 42, name)}`
}

export function text(x: number, y: number, words: string, anchor = 'start') {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${words}</text>`
}

export function fixed(value: number) {
  return value.toFixed(1)
}
