// Turns pasted HTML into Markdown. It reads tags as text instead of a parsed document, so that nothing of what is pasted
// ever becomes part of the page.

import { inlineMarks } from '../../src/lib/text/inline-marks.ts'

type Open = { tag: string; closes: string; href?: string; at: number; isHidden: boolean }

const voidTags = new Set(['br', 'hr', 'img', 'meta', 'link', 'input', 'col', 'wbr'])
const hidden = new Set(['script', 'style', 'head', 'title', 'template', 'noscript'])
const blocks = new Set(['p', 'div', 'section', 'article', 'ul', 'ol', 'table', 'blockquote', 'pre', 'figure'])

/** Whether HTML holds more than its plain text does, so that turning it into Markdown is worth it. */
export function isRich(html: string): boolean {
  return /<(b|strong|i|em|s|del|a\s[^>]*href|h[1-6]|ul|ol|pre|code|blockquote|table)\b/i.test(
    withoutWrapper(html),
  )
}

export function htmlToMarkdown(html: string): string {
  const writer = new Writer()
  for (const [token] of withFormulas(withoutWrapper(html)).matchAll(/<!--[\s\S]*?-->|<[^>]*>|[^<]+|</g)) {
    if (token.startsWith('<!')) continue
    const [, slash, name, attributes = ''] = /^<(\/?)([a-z][\w-]*)([^>]*)>$/i.exec(token) ?? []
    if (name === undefined) writer.text(decoded(token))
    else if (slash) writer.close(name.toLowerCase())
    else writer.open(name.toLowerCase(), attributes)
  }
  return writer.end()
}

class Writer {
  private out = ''
  private readonly stack: Open[] = []
  private readonly lists: { isNumbered: boolean; count: number }[] = []
  private hiddenDepth = 0
  private preDepth = 0
  private cells = 0
  /** The language of the code whose block is open. */
  private language = ''

  text(text: string) {
    if (this.hiddenDepth > 0) return
    if (this.preDepth > 0) {
      this.out += text
      return
    }
    const collapsed = text.replace(/[\s\u00a0]+/g, ' ')
    this.out += /(^|[\n ])$/.test(this.out) ? collapsed.trimStart() : collapsed
  }

  open(tag: string, attributes: string) {
    // A name that is no word is not understood behind the fence.
    const [language] = /^[\w+#.-]+$/.exec(attribute(attributes, 'data-code-language') ?? '') ?? []
    if (language) this.language = language.toLowerCase()
    const isHidden = hidden.has(tag) || /\b(katex-html|message_embed)\b/.test(attributes)
    if (isHidden) this.hiddenDepth++
    const at = this.out.length
    if (this.hiddenDepth === 0) this.begin(tag, attributes)
    if (voidTags.has(tag) || attributes.endsWith('/')) return
    this.stack.push({
      tag,
      closes: this.closing(tag, attributes),
      at: Math.max(at, 0),
      isHidden,
      ...linkIn(tag, attributes),
    })
  }

  close(tag: string) {
    const index = this.stack.findLastIndex((one) => one.tag === tag)
    if (index < 0) return
    for (const one of this.stack.splice(index).reverse()) this.finish(one)
  }

  end(): string {
    for (const one of this.stack.splice(0).reverse()) this.finish(one)
    return this.out
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  private begin(tag: string, attributes: string) {
    if (tag === 'br') this.out += '\n'
    else if (tag === 'hr') this.gap('---\n\n')
    else if (tag === 'img') this.image(attributes)
    else if (tag === 'audio') this.recording(attributes)
    else if (tag === 'li') this.item()
    else if (tag === 'pre') {
      this.gap(`\`\`\`${this.language}\n`)
      this.language = ''
      this.preDepth++
    } else if (tag === 'ul' || tag === 'ol') {
      if (this.lists.length === 0) this.gap('')
      this.lists.push({ isNumbered: tag === 'ol', count: Number(attribute(attributes, 'start') ?? 1) - 1 })
    } else if (/^h[1-6]$/.test(tag)) this.gap(`${'#'.repeat(Number(tag[1]))} `)
    else if (tag === 'tr') {
      this.line()
      this.cells = 0
    } else if (tag === 'td' || tag === 'th') {
      this.out += this.cells++ === 0 ? '| ' : ''
    } else if (blocks.has(tag) && this.lists.length === 0) this.gap('')
    else if (tag === 'code' && this.preDepth === 0) this.out += '`'
    else if (inlineMarks.has(tag) && this.preDepth === 0 && !isPlainWeight(attributes))
      this.out += inlineMarks.get(tag)
    else if (tag === 'a' && this.preDepth === 0 && linkIn(tag, attributes).href) this.out += '['
  }

  private closing(tag: string, attributes: string) {
    if (this.preDepth > 0 && tag !== 'pre') return ''
    if (tag === 'code') return '`'
    return isPlainWeight(attributes) ? '' : (inlineMarks.get(tag) ?? '')
  }

  private finish({ tag, closes, href, at, isHidden }: Open) {
    if (isHidden) {
      this.hiddenDepth--
      return
    }
    if (this.hiddenDepth > 0) return
    if (closes) this.closeMark(closes, at)
    else if (tag === 'a' && href && this.preDepth === 0) this.closeLink(href, at)
    else if (tag === 'pre') {
      this.preDepth--
      this.out = `${this.out.replace(/\n+$/, '')}\n\`\`\`\n\n`
    } else if (tag === 'ul' || tag === 'ol') {
      this.lists.pop()
      if (this.lists.length === 0) this.gap('')
    } else if (tag === 'blockquote') {
      const inner = this.out.slice(at).trim()
      this.out = this.out.slice(0, at)
      this.gap(`${inner.replace(/^/gm, '> ')}\n\n`)
    } else if (tag === 'td' || tag === 'th') this.out += ' | '
    else if (tag === 'tr') this.endRow(at)
    else if (/^h[1-6]$/.test(tag) || (blocks.has(tag) && this.lists.length === 0)) this.gap('')
  }

  /** Marks stand at the words, and around nothing they are left out. */
  private closeMark(mark: string, at: number) {
    const inner = this.out.slice(at + mark.length)
    const [, lead = '', core = '', trail = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner) ?? []
    // Code with a backtick in it stands between two of them.
    const [before, after] = mark === '`' && core.includes('`') ? ['`` ', ' ``'] : [mark, mark]
    const head = this.out.slice(0, at)
    this.out = head + (/\s$/.test(head) ? '' : lead) + (core && before + core + after) + trail
  }

  /** An address that links to itself is a link without marks. */
  private closeLink(href: string, at: number) {
    const text = this.out.slice(at + 1)
    if (isAddressOf(text, href)) this.out = this.out.slice(0, at) + text
    else this.out += `](${href})`
  }

  private endRow(at: number) {
    this.out = `${this.out.trimEnd()}\n`
    const isFirst = !/\|\n\s*$/.test(this.out.slice(0, at))
    if (isFirst) this.out += `|${'---|'.repeat(this.cells)}\n`
  }

  private image(attributes: string) {
    const source = attribute(attributes, 'src')
    if (attribute(attributes, 'class') === 'emoji') this.out += attribute(attributes, 'alt') ?? ''
    else if (source?.startsWith('http')) this.out += `[${attribute(attributes, 'alt') || 'image'}](${source})`
  }

  /** A recording of a message is written as a link to its file. */
  private recording(attributes: string) {
    const [title, source] = [attribute(attributes, 'title'), attribute(attributes, 'src')]
    if (source?.startsWith('/user_uploads/')) this.out += `[${title || source}](${source})`
  }

  private item() {
    const list = this.lists.at(-1)
    this.line()
    const indent = '  '.repeat(Math.max(0, this.lists.length - 1))
    this.out += list?.isNumbered ? `${indent}${++list.count}. ` : `${indent}* `
  }

  private line() {
    if (this.out && !this.out.endsWith('\n')) this.out = `${this.out.trimEnd()}\n`
  }

  private gap(then: string) {
    if (this.out.trim()) this.out = `${this.out.replace(/[ \n]+$/, '')}\n\n`
    this.out += then
  }
}

/** Formulas as they were written: MathML keeps that as an annotation. */
function withFormulas(html: string) {
  const formula =
    /<math\b(?:(?!<\/math>)[\s\S])*?<annotation encoding="application\/x-tex">([^<]*)[\s\S]*?<\/math>/g
  return html.replace(formula, (_, source) => `$$${source}$$`)
}

/** Returns the copied part alone: some systems put a page around it. */
function withoutWrapper(html: string) {
  return /<!--StartFragment-->([\s\S]*?)<!--EndFragment-->/.exec(html)?.[1] ?? html
}

/** Google Docs wraps everything in <b style="font-weight:normal">. */
function isPlainWeight(attributes: string) {
  return /font-weight:\s*(normal|400)/i.test(attributes)
}

function linkIn(tag: string, attributes: string): { href?: string } {
  const href = tag === 'a' ? attribute(attributes, 'href') : undefined
  return href && /^(https?:|mailto:)/i.test(href) ? { href: href.replaceAll(')', '%29') } : {}
}

/** Browsers write the address of a link in another form than its author: with a slash at the end, and with escapes. */
function isAddressOf(text: string, href: string) {
  if (`mailto:${text}` === href) return true
  const written = URL.canParse(text) && new URL(text).href.replaceAll(')', '%29')
  return written === (URL.canParse(href) && new URL(href).href.replaceAll(')', '%29'))
}

function attribute(attributes: string, name: string): string | undefined {
  const [, , a, b] = new RegExp(`\\b${name}\\s*=\\s*("([^"]*)"|'([^']*)')`, 'i').exec(attributes) ?? []
  const value = a ?? b
  return value === undefined ? undefined : decoded(value)
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
])

function decoded(text: string): string {
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name) ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
