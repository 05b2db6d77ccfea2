import { decodeHTML } from 'entities/decode'
import { must } from '../../../../lib/must.ts'
import { firstCharacters, isLonger } from '../../../../lib/text/characters.ts'
import { plainTextLimits } from './limits.ts'

/**
 * Returns the beginning of a message as plain text for a notification: the visible text of its rendered HTML, in lines.
 * Only the titles of spoilers are included. If the message contains only pictures, their names are used. Reads no more
 * of the HTML than the text needs.
 */
export function plainText(html: string, most: number = plainTextLimits.pushTextLength): string {
  const text = new PlainText()
  const pieces = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+/g
  for (let piece = pieces.exec(html); piece && !text.hasMoreThan(most); piece = pieces.exec(html)) {
    const [whole, slash, tag, attributes = ''] = piece
    if (tag === undefined) text.say(decodeHTML(whole))
    else if (slash) text.close(tag)
    else text.open(tag, attributes)
  }
  const whole = text.whole()
  return isLonger(whole, most) ? `${firstCharacters(whole, most)}…` : whole
}

/** An open element. `title`: the start of a spoiler's title; `next`: the number of a list's next item. */
type Open = { tag: string; isHidden: boolean; title: number | undefined; next: number | undefined }

const blocks = new Set('p div h1 h2 h3 h4 h5 h6 blockquote ul ol li pre table tr hr'.split(' '))
const empty = new Set(['br', 'hr', 'img'])
const hidden = /^(katex-html|spoiler-content|emoji|message_embed|message_inline_image|youtube-video)$/

class PlainText {
  private text = ''
  private readonly opened: Open[] = []
  private readonly pictures: string[] = []
  /** The bullet or number of a list item that has not started. */
  private bullet = ''
  private quotes = 0
  private verbatim = 0

  hasMoreThan(characters: number) {
    return this.text.length > 2 * characters + 2
  }

  whole() {
    return this.text.trim() || this.pictures.join('\n')
  }

  open(tag: string, written: string) {
    const attribute = (name: string) => attributeIn(written, name)
    const classes = attribute('class').split(' ')
    if (tag === 'br') this.endLine()
    if (blocks.has(tag)) this.endLine()
    this.showSign(tag, classes, attribute)
    if (empty.has(tag)) return
    if (tag === 'blockquote') this.quotes += 1
    if (tag === 'pre') this.verbatim += 1
    if (tag === 'li') this.bullet = this.nextBullet()
    if (tag === 'a' && this.opened.at(-1)?.isHidden) this.pictures.push(pictureName(attribute))
    const isHidden = this.hides(tag) || classes.some((name) => hidden.test(name))
    const title = classes.includes('spoiler-header') ? this.text.length : undefined
    const next = tag === 'ol' ? Number(attribute('start') || 1) : undefined
    this.opened.push({ tag, isHidden, title, next })
  }

  close(tag: string) {
    if (this.opened.at(-1)?.tag !== tag) return
    const { title } = must(this.opened.pop(), 'open element')
    if (title !== undefined) this.endTitle(title)
    if (blocks.has(tag)) this.endLine()
    if (tag === 'blockquote') this.quotes -= 1
    if (tag === 'pre') this.verbatim -= 1
    if (tag === 'li') this.bullet = ''
  }

  say(text: string) {
    if (this.isHidden) return
    const lines = this.verbatim > 0 ? text.split('\n') : [text.replace(/\n+/g, ' ')]
    lines.forEach((line, index) => {
      if (index > 0) this.text += '\n'
      const rest = this.isInLine || this.verbatim > 0 ? line : line.trimStart()
      if (rest === '') return
      if (!this.isInLine) this.text += this.begunLine()
      this.text += rest
    })
  }

  /**
   * Returns whether the text of an element is hidden. A formula is shown by its source, which is part of its MathML
   * (`semantics`).
   */
  private hides(tag: string): boolean {
    const parent = this.opened.at(-1)
    if (tag === 'annotation' && parent?.tag === 'semantics') return this.opened.at(-2)?.isHidden ?? false
    return tag === 'semantics' || this.isHidden
  }

  private endTitle(start: number) {
    if (this.isHidden) return
    const title = this.text.slice(start).trimEnd()
    this.text = this.text.slice(0, start) + title
    this.say(title === '' ? 'Spoiler (hidden)' : ' (hidden)')
  }

  private get isHidden() {
    return this.opened.at(-1)?.isHidden ?? false
  }

  private get isInLine() {
    return this.text !== '' && !this.text.endsWith('\n')
  }

  private endLine() {
    if (this.isInLine) this.text = `${this.text.trimEnd()}\n`
  }

  private begunLine(): string {
    const lists = this.opened.filter(({ tag }) => tag === 'ul' || tag === 'ol').length
    const begun = `${'> '.repeat(this.quotes)}${'  '.repeat(Math.max(0, lists - 1))}${this.bullet}`
    this.bullet = ''
    return begun
  }

  private nextBullet(): string {
    const list = this.opened.findLast(({ tag }) => tag === 'ul' || tag === 'ol')
    if (list?.next === undefined) return '• '
    list.next += 1
    return `${list.next - 1}. `
  }

  private showSign(tag: string, classes: string[], attribute: (name: string) => string) {
    if (tag === 'hr') this.say('—')
    // A recording goes by its name.
    if (tag === 'audio') this.say(attribute('title'))
    if (!classes.includes('emoji')) return
    const code = classes.map((name) => /^emoji-([0-9a-f-]+)$/.exec(name)?.[1]).find(Boolean)
    this.say(code ? characterOf(code) : attribute('alt'))
  }
}

function characterOf(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

/** Returns the value of an attribute. The renderer always writes double quotes. */
function attributeIn(written: string, name: string): string {
  const start = written.indexOf(` ${name}="`)
  if (start < 0) return ''
  const from = start + name.length + 3
  return decodeHTML(written.slice(from, written.indexOf('"', from)))
}

function pictureName(attribute: (name: string) => string): string {
  return attribute('title') || attribute('href')
}
