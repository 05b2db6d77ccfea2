import type { MarkdownIt, StateInline } from 'markdown-it'

/** `*italic*`, `**bold**`, `~~struck~~`. Underscores mean nothing: `snake_case` and `__init__` are common in chat. */
export function emphasis(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'underscore', parseUnderscore)
  md.renderer.rules.s_open = () => '<del>'
  md.renderer.rules.s_close = () => '</del>'
}

function parseUnderscore(state: StateInline, dry: boolean): boolean {
  if (state.src[state.pos] !== '_') return false
  if (!dry) state.pending += '_'
  state.pos++
  return true
}
