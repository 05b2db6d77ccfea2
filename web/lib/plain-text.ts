/** A rough text of HTML, for labels and excerpts. */
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
  return html
    .replace(/<\/?(p|div|br|li|ul|ol|tr|td|th|h[1-6]|pre|blockquote|table)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name) => names[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}
