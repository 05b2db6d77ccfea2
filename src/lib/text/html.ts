/** A piece of HTML that is safe to send: `html` makes it and escapes the values. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString() {
    return this.text
  }
}

/** The values of a template: texts and numbers, which are escaped, and pieces of HTML, alone or in lists. */
type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

/** A template of HTML. Values are escaped, unless they are HTML themselves; null, undefined and false leave nothing. */
export function html(pieces: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(pieces.reduce((text, piece, index) => text + written(values[index - 1]) + piece))
}

/** Returns a text escaped for HTML, also for an attribute's value in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function written(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(written).join('')
  return escapeHtml(String(value))
}
