import { emojiOf } from './emoji-of.ts'

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
}

/**
 * A rough text of HTML, for labels and excerpts. It keeps hidden what a spoiler hides, and leaves out previews of linked pages.
 * `showTime` says how a time is shown, in seconds since 1970; without it, times are as they were written.
 */
export function plainText(html: string, showTime?: (seconds: number) => string): string {
  const [own = ''] = html.split('\n<div class="message_embed">')
  let text = ''
  /** The kind of an element whose contents are left out, and how many of its kind are open. */
  let [kind, depth] = ['', 0]
  let isSource = false
  for (const [piece, end, tag = '', rest = ''] of own.matchAll(/<(\/?)(\w+)([^>]*)>|[^<]+/g)) {
    if (!tag) text += depth && !isSource ? '' : piece
    else if (depth) {
      if (tag === kind) depth += end ? -1 : 1
      // The HTML of a formula says it three times, one of them as it was written.
      isSource = kind === 'span' && tag === 'annotation' && !end
    } else if (tag === 'img' || tag === 'audio') text += /(?:alt|title)="([^"]*)/.exec(rest)?.[1] ?? ''
    else {
      const at = showTime && tag === 'time' && new Date(/datetime="([^"]*)/.exec(rest)?.[1] ?? '').getTime()
      if (at) {
        text += showTime(at / 1000)
        ;[kind, depth] = [tag, 1]
      }
      if (/^(p|div|br|li|[uo]l|t[rdh]|h\d|pre|blockquote|table)$/.test(tag)) text += ' '
      const [, hidden, code] = /class="(katex|spoiler-content|emoji emoji-([\da-f-]+))"/.exec(rest) ?? []
      if (!hidden) continue
      ;[kind, depth] = [tag, 1]
      text += code ? emojiOf(code) : tag === 'div' ? '…' : ''
    }
  }
  // A picture without any words goes by the name of its file.
  return readable(text) || readable(/<a href="(?:[^"]*\/)?([^"]*)/.exec(html)?.[1] ?? '')
}

function readable(text: string) {
  return text
    .replace(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}
