import { TimeSlice } from '../../../lib/async/time-slice.ts'
import { linkPreviewLimits } from './limits.ts'

/** The title of a page, and the contents of its `meta` elements by name, in lower case. */
type PageHead = { title: string; meta: ReadonlyMap<string, string> }

/**
 * Reads the head of a page. Its author may be hostile: reading takes time in proportion to the text, and ends with the head or
 * where elements are nested too deeply.
 */
export async function readPageHead(html: string): Promise<PageHead> {
  const { Parser } = await import('htmlparser2')
  const head = new Head()
  const parser = new Parser({
    onopentag: (name, attributes) => head.open(name, attributes),
    ontext: (text) => head.say(text),
    onclosetag: (name) => head.close(name),
  })
  const slice = new TimeSlice()
  for (let at = 0; at < html.length && !head.isOver; at += linkPreviewLimits.pageSlice) {
    parser.write(html.slice(at, at + linkPreviewLimits.pageSlice))
    if (slice.isOver) await slice.next()
  }
  return head
}

class Head implements PageHead {
  title = ''
  readonly meta = new Map<string, string>()
  isOver = false
  private depth = 0
  private hasTitle = false
  private isInTitle = false

  open(name: string, { name: named, property = named, content }: Record<string, string>) {
    this.depth += 1
    if (name === 'body' || this.depth > linkPreviewLimits.pageDepth) this.isOver = true
    if (this.isOver) return
    if (name === 'title') this.isInTitle = !this.hasTitle
    if (name !== 'meta' || property === undefined || content === undefined) return
    const key = property.toLowerCase()
    // The first one of several is the main one.
    if (!this.meta.has(key)) this.meta.set(key, content)
  }

  say(text: string) {
    if (this.isInTitle && !this.isOver) this.title += text
  }

  close(name: string) {
    this.depth -= 1
    if (name === 'head') this.isOver = true
    if (name !== 'title') return
    this.hasTitle ||= this.isInTitle
    this.isInTitle = false
  }
}
