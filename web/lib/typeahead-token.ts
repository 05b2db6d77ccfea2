/** The text before the cursor for which there are suggestions. */
export type Token =
  | { kind: 'mention'; from: number; query: string; isSilent: boolean }
  | { kind: 'channel'; from: number; query: string }
  | { kind: 'topic'; from: number; query: string; channel: string }
  | { kind: 'emoji' | 'command' | 'time'; from: number; query: string }
  /** `isClosed`: the block has its end already. */
  | { kind: 'language'; from: number; query: string; fence: string; isClosed: boolean }

/** How far a token may reach back from the cursor; names are shorter. */
const longest = 80

/** Returns the token at the cursor of a text, if there is one. */
export function tokenAt(text: string, cursor: number): Token | undefined {
  const before = text.slice(Math.max(0, cursor - longest), cursor)
  const base = cursor - before.length
  const language = languageAt(text, cursor)
  if (language) return language
  if (isInCode(text.slice(0, cursor))) return undefined
  if (text.startsWith('/') && /^\/\w*$/.test(text.slice(0, cursor))) {
    return { kind: 'command', from: 0, query: text.slice(1, cursor) }
  }
  for (const pattern of patterns) {
    const found = pattern(before)
    if (found) return { ...found, from: base + found.from }
  }
  return undefined
}

/** The language of a block of code, at the end of the line with which the block begins. */
function languageAt(text: string, cursor: number): Token | undefined {
  const line = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor)
  const [, fence, query] = /^(`{3,}|~{3,}) ?([\w+#]+)$/.exec(line) ?? []
  const [from, after] = [cursor - line.length, text.slice(cursor)]
  if (!fence || !query || /^[^\n]/.test(after) || isInCode(text.slice(0, from))) return undefined
  return { kind: 'language', from, query, fence, isClosed: fencesIn(after) % 2 === 1 }
}

type Pattern = (before: string) => Token | undefined

const mention: Pattern = (before) => {
  const [whole, begin = '', silent, marked, name = ''] =
    /(^|[\s({"'[>])@(_?)(\*{0,2})([^\n@*]*)$/.exec(before) ?? []
  if (whole === undefined || name.startsWith(' ') || isPastName(name, Boolean(marked))) return undefined
  const from = before.length - whole.length + begin.length
  return { kind: 'mention', from, query: name, isSilent: silent === '_' }
}

const topic: Pattern = (before) => {
  // Also behind a channel that was completed: "#**design** >" goes on with its topics.
  const [whole, channel = '', query = ''] = /#\*\*([^*\n>]+)(?:>|\*\* ?>(?! ))([^*\n]*)$/.exec(before) ?? []
  if (whole === undefined) return undefined
  return { kind: 'topic', from: before.length - whole.length, query, channel }
}

const channel: Pattern = (before) => {
  const [whole, begin = '', marked, name = ''] = /(^|[\s({"'[])#(\*{0,2})([^\n#*>]*)$/.exec(before) ?? []
  // "# Title" is a heading.
  if (whole === undefined || name.startsWith(' ') || isPastName(name, Boolean(marked))) return undefined
  return { kind: 'channel', from: before.length - whole.length + begin.length, query: name }
}

const emoji: Pattern = (before) => {
  const [whole, query = ''] = /(?:^|[\s({"'[:]):([\w+-]{1,40})$/.exec(before) ?? []
  if (whole === undefined || /^[\d-]+$/.test(query)) return undefined
  return { kind: 'emoji', from: before.length - query.length - 1, query }
}

const time: Pattern = (before) => {
  const [whole, query = ''] = /<time(?::([^>\n]*))?$/.exec(before) ?? []
  if (whole === undefined) return undefined
  return { kind: 'time', from: before.length - whole.length, query }
}

const patterns = [topic, mention, channel, time, emoji]

/** Names have few words; a longer run of text is not a name any more. */
function isPastName(name: string, isMarked: boolean) {
  return name.split(' ').length > (isMarked ? 8 : 4) || name.endsWith('  ')
}

function fencesIn(text: string) {
  return text.match(/^(```+|~~~+)/gm)?.length ?? 0
}

/** Whether the end of a text is inside a fenced block or a code span of its line. */
function isInCode(text: string) {
  const isCodeFence =
    fencesIn(text) % 2 === 1 && !/^(```+|~~~+)\s*(quote|spoiler)\b[^\n]*\n(?![\s\S]*^(```|~~~))/m.test(text)
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return isCodeFence || (line.match(/`/g)?.length ?? 0) % 2 === 1
}
