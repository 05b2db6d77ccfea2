import { withoutPlaceholders } from '../placeholder-marks.ts'
import { fenceParts } from './fences.ts'

/** The lines of a source: tabs are spaces, lines of nothing but spaces are empty, and lists stand apart. */
export function linesOf(source: string): string[] {
  const lines = withoutPlaceholders(source).replace(/\r\n?/g, '\n').split('\n').map(withoutTabs)
  return separateLists(lines).map((line, index) => (index > 0 && /^ +$/.test(line) ? '' : line))
}

const listItem = /^ *([*+-]|\d\.) +/

/** A list needs no blank line before it, nor between it and a list of another kind. */
function separateLists(lines: string[]): string[] {
  const fences: { fence: string; isCode: boolean }[] = []
  const result: string[] = []
  lines.forEach((line, index) => {
    result.push(line)
    trackFences(line, fences)
    const next = lines[index + 1]
    if (line === '' || next === undefined || fences.some(({ isCode }) => isCode)) return
    const [, here] = listItem.exec(line) ?? []
    const [, below] = listItem.exec(next) ?? []
    if (below !== undefined && here?.length !== below.length) result.push('')
  })
  return result
}

function trackFences(line: string, fences: { fence: string; isCode: boolean }[]): void {
  const parts = fenceParts(line)
  if (!parts) return
  if (parts.word === '' && fences.at(-1)?.fence === parts.fence) fences.pop()
  else fences.push({ fence: parts.fence, isCode: parts.word !== 'quote' && parts.word !== 'quoted' })
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  let result = ''
  for (const part of line.split(/(\t)/)) result += part === '\t' ? ' '.repeat(4 - (result.length % 4)) : part
  return result
}
