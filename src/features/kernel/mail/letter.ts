import { type Html, html } from '../../../lib/text/html.ts'

const styles = {
  body: 'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff',
  main: 'max-width:560px;margin:0 auto;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:10px 18px;border-radius:6px;background:#2b5fb4;color:#fff;text-decoration:none',
  paragraph: 'white-space:pre-line',
  heading: 'margin:24px 0 8px;font-size:17px',
  item: 'margin:0 0 8px',
  quote: 'margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #ccc;white-space:pre-wrap',
  small: 'font-size:13px;color:#666',
}

/**
 * A part of a letter: a paragraph, a link to follow, a quotation of a user's text, the heading of a section, one of a list
 * of links, or small print at the end.
 */
export type LetterPart =
  | string
  | { link: string; url: string }
  | { quote: string; from?: string }
  | { heading: string; url?: string }
  | { item: string; url: string }
  | { small: string; url?: string }

export type Letter = { text: string; html: string }

/**
 * Returns the two forms of a mail's body, plain text and HTML, from the same parts. All input is text: it is escaped
 * and shown verbatim, and nothing is loaded from other servers.
 */
export function letter(parts: LetterPart[]): Letter {
  const whole = html`<!doctype html>
<html><head><meta charset="utf-8"></head>
<body style="${styles.body}"><div style="${styles.main}">
${parts.map(htmlOf)}</div></body></html>
`
  return { text: `${parts.map(textOf).join('\n\n')}\n`, html: whole.text }
}

function textOf(part: LetterPart): string {
  if (typeof part === 'string') return part
  if ('link' in part) return `${part.link}:\n${part.url}`
  if ('heading' in part) return withUrl(`${part.heading}`, part.url)
  if ('item' in part) return `• ${withUrl(part.item, part.url)}`
  if ('small' in part) return `-- \n${withUrl(part.small, part.url)}`
  return (part.from ? `${part.from}:\n` : '') + part.quote.replace(/^/gm, '> ')
}

function withUrl(text: string, url: string | undefined) {
  return url ? `${text}\n${url}` : text
}

function htmlOf(part: LetterPart): Html {
  if (typeof part === 'string') return html`<p style="${styles.paragraph}">${part}</p>\n`
  if ('link' in part) {
    return html`<p><a href="${part.url}" style="${styles.button}">${part.link}</a></p>
<p style="${styles.small}">${part.url}</p>
`
  }
  if ('heading' in part) return html`<h3 style="${styles.heading}">${linked(part.heading, part.url)}</h3>\n`
  if ('item' in part) return html`<p style="${styles.item}">${linked(part.item, part.url)}</p>\n`
  if ('small' in part) return html`<p style="${styles.small}">${linked(part.small, part.url)}</p>\n`
  return html`${part.from && html`<p style="margin:0"><b>${part.from}</b></p>\n`}<div style="${styles.quote}">${part.quote}</div>\n`
}

function linked(text: string, url: string | undefined) {
  return url ? html`<a href="${url}">${text}</a>` : text
}
