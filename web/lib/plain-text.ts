/** A rough text of a message's HTML, for labels and excerpts. Previews of linked pages are left out. */
export function plainText(html: string): string {
  const names: Record<string, string> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#x27': "'",
    nbsp: ' ',
  }
  const [text = ''] = html.split('\n<div class="message_embed">')
  return withFormulas(text)
    .replace(/<\/?(p|div|br|li|ul|ol|tr|td|th|h[1-6]|pre|blockquote|table)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name) => names[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Formulas as they were written: their HTML says each of them three times. */
function withFormulas(html: string): string {
  const [before = '', ...formulas] = html.split('<span class="katex">')
  const written = formulas.map((part) => {
    const [, tex = ''] = /<annotation[^>]*>([^<]*)<\/annotation>/.exec(part) ?? []
    return tex + afterSpan(part)
  })
  return before + written.join('')
}

/** What follows the span in which the HTML begins. */
function afterSpan(html: string): string {
  let depth = 1
  for (const { 0: tag, index } of html.matchAll(/<\/?span\b[^>]*>/g)) {
    depth += tag.startsWith('</') ? -1 : 1
    if (depth === 0) return html.slice(index + tag.length)
  }
  return ''
}
