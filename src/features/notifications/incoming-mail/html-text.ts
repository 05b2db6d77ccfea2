import type { Parser } from 'htmlparser2'
import { inlineMarks } from '../../../lib/text/inline-marks.ts'
import { incomingMailLimits } from './limits.ts'

/** Creates the parser. It is passed in because its library is loaded only where mail is read. */
export type MakeParser = (handler: ConstructorParameters<typeof Parser>[0]) => Parser

/**
 * Converts the HTML of a mail to Markdown. Stops when the text is too long. `isReply`: leaves out signatures and the
 * earlier mail, where mail programs mark them.
 */
export function htmlText(html: string, makeParser: MakeParser, isReply: boolean): string {
  const text = new HtmlText(isReply)
  const parser = makeParser({
    onopentag: (name, attributes) => text.open(name, attributes),
    ontext: (words) => text.addText(words),
    onclosetag: (name) => text.close(name),
  })
  for (let at = 0; at < html.length && !text.isOver; at += incomingMailLimits.htmlPieceLength) {
    parser.write(html.slice(at, at + incomingMailLimits.htmlPieceLength))
  }
  if (!text.isOver) parser.end()
  return text.whole()
}

const skippedTags = new Set('head script style title template select svg object iframe textarea'.split(' '))
const blocks = new Set(
  'p div section article header footer main address center table tr ul ol li blockquote pre h1 h2 h3 h4 h5 h6 hr dl dt dd'.split(
    ' ',
  ),
)
const separatedBlocks = new Set('p blockquote pre h1 h2 h3 h4 h5 h6 table ul ol'.split(' '))
const marks = new Map([...inlineMarks, ['code', '`'], ['tt', '`']])

const quoteClass =
  /(^|\s)(gmail_quote(_container)?|gmail_signature|yahoo_quoted|protonmail_quote|protonmail_signature_block|moz-cite-prefix|moz-signature)(\s|$)/
/** Outlook puts the earlier mail after such an element, not into it. */
const endId = /^(appendonsend|divRplyFwdMsg)$/
const signatureId = /^(Signature|ms-outlook-mobile-signature)$/

type OpenElement = { tag: string; isSkipped: boolean; start: number; mark: string; href: string }
type Attributes = Record<string, string>

class HtmlText {
  isOver = false
  private text = ''
  private readonly isReply: boolean
  private readonly opened: OpenElement[] = []
  private quotes = 0
  private lists: { next: number | undefined }[] = []
  private verbatim = 0
  private bullet = ''
  private wantsSpace = false
  /** How many line breaks precede the next words, and the number of quotes around the last ones. */
  private breaks = 0
  private quotesBefore = 0

  constructor(isReply: boolean) {
    this.isReply = isReply
  }

  whole(): string {
    if (this.verbatim > 0) this.endFence()
    return this.text.trim()
  }

  open(tag: string, attributes: Attributes) {
    if (this.isOver) return
    if (
      this.opened.length >= incomingMailLimits.htmlDepth ||
      (this.isReply && endId.test(attributes.id ?? ''))
    ) {
      this.isOver = true
      return
    }
    const isSkipped =
      this.isSkipped || skippedTags.has(tag) || isHidden(attributes) || this.isEarlier(tag, attributes)
    if (!isSkipped) this.begin(tag, attributes)
    const start = this.text.length
    const mark = isSkipped || this.verbatim > 0 ? '' : (marks.get(tag) ?? '')
    const href = isSkipped || this.verbatim > 0 || tag !== 'a' ? '' : webAddress(attributes.href)
    this.opened.push({ tag, isSkipped, start, mark, href })
  }

  close(tag: string) {
    const last = this.opened.at(-1)
    if (this.isOver || last?.tag !== tag) return
    this.opened.pop()
    if (last.isSkipped) return
    if (last.mark !== '') this.wrap(last.start, (words) => `${last.mark}${words}${last.mark}`, last.mark)
    if (last.href !== '') this.wrap(last.start, (words) => linkTo(words, last.href), '](')
    if (tag === 'pre') this.endFence()
    if (tag === 'blockquote') this.quotes -= 1
    if (tag === 'ul' || tag === 'ol') this.lists.pop()
    if (blocks.has(tag)) this.endLine(this.isApart(tag))
    if (tag === 'td' || tag === 'th') this.wantsSpace = true
  }

  addText(words: string) {
    if (this.isOver || this.isSkipped) return
    if (this.verbatim > 0) return this.write(words.replaceAll('\n', `\n${this.margin}`))
    const plain = words.replace(/[\s\u00a0]+/g, ' ')
    if (plain === '') return
    if (plain.startsWith(' ')) this.wantsSpace = true
    if (plain.trim() === '') return
    this.beginWords()
    this.write(plain.trim())
    this.wantsSpace = plain.endsWith(' ')
  }

  private get isSkipped(): boolean {
    return this.opened.at(-1)?.isSkipped ?? false
  }

  private get margin(): string {
    return '> '.repeat(this.quotes)
  }

  private isEarlier(tag: string, attributes: Attributes): boolean {
    if (!this.isReply) return false
    if (tag === 'blockquote' && attributes.type === 'cite') return true
    return quoteClass.test(attributes.class ?? '') || signatureId.test(attributes.id ?? '')
  }

  private begin(tag: string, attributes: Attributes) {
    if (tag === 'br') return this.lineBreak()
    if (tag === 'img' && attributes.alt?.trim()) return this.addText(attributes.alt)
    if (blocks.has(tag)) this.endLine(this.isApart(tag))
    if (tag === 'blockquote') this.quotes += 1
    if (tag === 'ul' || tag === 'ol') this.lists.push({ next: tag === 'ol' ? 1 : undefined })
    if (tag === 'li') this.bullet = this.nextBullet()
    if (/^h[1-6]$/.test(tag)) this.bullet = `${'#'.repeat(Number(tag[1]))} `
    if (tag === 'hr') this.addText('---')
    if (tag === 'pre') this.beginFence()
  }

  private beginFence() {
    if (this.verbatim === 0) {
      this.beginWords()
      this.write(`\`\`\`\n${this.margin}`)
    }
    this.verbatim += 1
  }

  private endFence() {
    this.verbatim = Math.max(0, this.verbatim - 1)
    if (this.verbatim > 0) return
    this.text = `${this.text.trimEnd()}\n${this.margin}\`\`\``
    this.breaks = 2
  }

  private nextBullet(): string {
    const list = this.lists.at(-1)
    const indent = '  '.repeat(Math.max(0, this.lists.length - 1))
    if (list?.next === undefined) return `${indent}* `
    list.next += 1
    return `${indent}${list.next - 1}. `
  }

  private lineBreak() {
    if (this.verbatim > 0) this.write(`\n${this.margin}`)
    else this.breaks = Math.min(2, this.breaks + 1)
  }

  /** Whether empty lines surround a block. Lists within lists have none. */
  private isApart(tag: string): boolean {
    return separatedBlocks.has(tag) && this.lists.length === 0
  }

  private endLine(isApart: boolean) {
    this.wantsSpace = false
    this.breaks = Math.max(this.breaks, isApart ? 2 : 1)
  }

  /** Begins a new line with its margin, or adds a space between words. */
  private beginWords() {
    const begun = `${this.margin}${this.bullet}`
    const between = '> '.repeat(Math.min(this.quotes, this.quotesBefore)).trimEnd()
    if (this.text === '') this.write(begun)
    else if (this.breaks > 0) this.write(`${this.breaks > 1 ? `\n${between}` : ''}\n${begun}`)
    else if (this.wantsSpace && !/\s$/.test(this.text)) this.write(' ')
    this.bullet = ''
    this.wantsSpace = false
    this.breaks = 0
    this.quotesBefore = this.quotes
  }

  private write(words: string) {
    this.text += words
    if (this.text.length > incomingMailLimits.textLength) this.isOver = true
  }

  /** Puts marks around the text since `start`, if it is one line of words that do not contain the mark yet. */
  private wrap(start: number, make: (words: string) => string, mark: string) {
    const [, before = '', words = ''] = /^(\s*(?:> )*)(.*)$/s.exec(this.text.slice(start)) ?? []
    if (words.trim() === '' || words.includes('\n') || words.includes(mark)) return
    this.text = `${this.text.slice(0, start)}${before}${make(words.trim())}`
  }
}

function isHidden({ style = '', hidden }: Attributes): boolean {
  return hidden !== undefined || /display:\s*none/i.test(style)
}

function webAddress(href: string | undefined): string {
  return href !== undefined && /^(https?|mailto):/i.test(href) && URL.canParse(href) ? new URL(href).href : ''
}

function linkTo(words: string, address: string): string {
  const isPlain = [words, `mailto:${words}`, `${words}/`, `https://${words}/`].includes(address)
  if (isPlain) return words
  return `[${words.replaceAll('[', '(').replaceAll(']', ')')}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`
}
