import { markdownLimits } from '../limits.ts'

/**
 * Parses the lines between fences, ``` or ~~~. `quote`, `spoiler Title` and `math` have meanings, any other word is the
 * language of code; `defaultWord` is that of a fence without one. Returns lines of which quotes begin with `> ` and anything
 * else is what `linesOfFence` returns for it. Fences count at the beginning of a line only. An unclosed fence extends to the end
 * of the enclosing block; if there is nothing after it, it is text, so that no message is empty.
 */
export function resolveFences(
  lines: string[],
  defaultWord: string,
  linesOfFence: (fence: Fence) => string[],
): string[] {
  const open: Fence[] = []
  const outer: string[] = []
  const push = (line: string) => (open.at(-1)?.lines ?? outer).push(line)
  const close = (fence: Fence) => {
    const isQuote = fence.kind === 'quote' && !isBlank(fence)
    for (const line of isQuote ? quotedLines(fence) : linesOfFence(fence)) push(line)
  }
  for (const line of lines) {
    const inner = open.at(-1)
    if (inner && line.trimEnd() === inner.fence) close(open.pop()!)
    else {
      const begun =
        inner?.kind === 'code' || inner?.kind === 'math' ? undefined : fenceAt(line, defaultWord, open.length)
      if (begun) open.push(begun)
      else push(inner?.kind === 'code' ? line.trimEnd() : line)
    }
  }
  for (let fence = open.pop(); fence; fence = open.pop()) {
    if (isBlank(fence)) push(fence.opening)
    else close(fence)
  }
  return outer
}

/** The fence that a line begins, and its first word. */
export function fenceParts(line: string): { fence: string; word: string; rest: string } | undefined {
  if (!line.startsWith('```') && !line.startsWith('~~~')) return undefined
  // The first word is taken whole or not at all: to try where else it might end takes long.
  const match = /^(`{3,}|~{3,}) *(?:\{?\.?([\w+\-./#]+)(?![\w+\-./#]) *([^ ~`][^~`]*)?\}?)?$/.exec(line)
  return match ? { fence: match[1] ?? '', word: match[2] ?? '', rest: match[3] ?? '' } : undefined
}

/** A text between fences, as a block of one kind; nothing in the text ends it. */
export function fenced(kind: string, text: string): string {
  const fence = fenceFor(text)
  return `${fence}${kind}\n${text}\n${fence}`
}

/** Returns a fence that is longer than any in the text, and has at least this many characters. */
export function fenceFor(text: string, shortest = 3): string {
  let length = shortest
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1)
  return '`'.repeat(length)
}

/** What stands between fences. */
export type Fence = {
  /** The line that begins it. */
  opening: string
  fence: string
  kind: 'code' | 'math' | 'quote' | 'spoiler'
  word: string
  title: string
  lines: string[]
}

function fenceAt(line: string, defaultWord: string, depth: number): Fence | undefined {
  const parts = depth < markdownLimits.fenceDepth ? fenceParts(line) : undefined
  if (!parts) return undefined
  const word = (parts.word || defaultWord).toLowerCase()
  const kind =
    word === 'quoted' ? 'quote' : word === 'quote' || word === 'spoiler' || word === 'math' ? word : 'code'
  return { opening: line, fence: parts.fence, kind, word, title: parts.rest, lines: [] }
}

/** A quote or a formula of nothing would not be seen. */
export function isBlank({ lines }: Fence): boolean {
  return lines.every((line) => line.trim() === '')
}

function quotedLines({ lines }: Fence): string[] {
  return ['', ...lines.map((line) => `> ${line}`), '']
}
