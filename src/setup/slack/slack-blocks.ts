import { isObject } from '../../lib/is-object.ts'

// Converts blocks to texts in Slack's own syntax. Apps write by blocks, and people write lists and quotes by them.

/** Returns the text that Slack shows of a message or an attachment: blocks have it, where they hold more than a text. */
export function shownText(text: string, blocks: readonly unknown[]): string {
  const isText = blocks.every((block) => fieldsOf(block).type === 'rich_text')
  return isText && text !== '' ? text : linesOf(blocks, textOfBlock) || text
}

type Fields = Readonly<Record<string, unknown>>

function textOfBlock(block: Fields): string {
  const { type, text, fields, elements, accessory, rows } = block
  switch (type) {
    case 'rich_text':
      return linesOf(elements, textOfPart)
    case 'header':
      return formatted(textIn(text), '*')
    case 'section':
      return [textIn(text), linesOf(fields, textIn), linesOf([accessory], linkOf)].filter(Boolean).join('\n')
    case 'context':
      return listOf(elements).map(textIn).filter(Boolean).join(' ')
    case 'actions':
      return linesOf(elements, linkOf)
    case 'table':
      return (Array.isArray(rows) ? rows : []).map(rowOf).join('\n')
    case 'markdown':
      return textIn(text)
    default:
      return linkOf(block)
  }
}

/** Pictures, videos, and buttons that lead to a page. */
function linkOf({ url, image_url, title_url, text, title, alt_text }: Fields): string {
  const address = textIn(url) || textIn(title_url) || textIn(image_url)
  const label = textIn(text) || textIn(title) || textIn(alt_text)
  return address && link(address, label)
}

function link(address: string, label: string): string {
  const target = address.replaceAll(/[<>|\n]/g, encodeURIComponent)
  return label === '' ? `<${target}>` : `<${target}|${label.replaceAll(/[<>\n]/g, ' ')}>`
}

function rowOf(row: unknown): string {
  return listOf(row)
    .map((cell) => linesOf(cell.elements, textOfPart) || textIn(cell))
    .join(' | ')
}

/** A part of a rich text: a paragraph, a list, a quote, or code. */
function textOfPart({ type, elements, style, indent }: Fields): string {
  if (type === 'rich_text_list') {
    const before = '    '.repeat(typeof indent === 'number' && indent > 0 && indent < 10 ? indent : 0)
    const sign = (i: number) => (style === 'ordered' ? `${i + 1}.` : '•')
    return listOf(elements)
      .map((item, i) => `${before}${sign(i)} ${textOfElements(item)}`)
      .join('\n')
  }
  const text = textOfElements({ elements })
  if (type === 'rich_text_quote') return text.replaceAll(/^/gm, '&gt; ')
  return type === 'rich_text_preformatted' ? `\`\`\`${text}\`\`\`` : text.replace(/\n$/, '')
}

function textOfElements({ elements }: Fields): string {
  return listOf(elements).map(textOfElement).join('')
}

function textOfElement(element: Fields): string {
  const { type, text, url, user_id, channel_id, usergroup_id, name, range, fallback, value } = element
  switch (type) {
    case 'text':
      return styled(escaped(textIn(text)), fieldsOf(element.style))
    case 'link':
      return styled(link(textIn(url), escaped(textIn(text))), fieldsOf(element.style))
    case 'user':
      return `<@${textIn(user_id)}>`
    case 'channel':
      return `<#${textIn(channel_id)}>`
    case 'usergroup':
      return `<!subteam^${textIn(usergroup_id)}>`
    case 'broadcast':
      return `<!${textIn(range)}>`
    case 'emoji':
      return `:${textIn(name)}:`
    default:
      return escaped(textIn(fallback) || textIn(value))
  }
}

function styled(text: string, { bold, italic, strike, code }: Fields): string {
  const signs = [code && '`', strike && '~', italic && '_', bold && '*'].filter(
    (sign) => typeof sign === 'string',
  )
  return signs.reduce(formatted, text)
}

/** Formats each line of its own, without the space around it. */
function formatted(text: string, sign: string): string {
  return text.replaceAll(/\S(?:.*\S)?/g, (words) => `${sign}${words}${sign}`)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Returns a text: the value itself, or the text of an object that has one; otherwise ''. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  const { text } = fieldsOf(value)
  return typeof text === 'string' ? text : ''
}

function linesOf(list: unknown, textOf: (item: Fields) => string): string {
  return listOf(list)
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n')
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}
