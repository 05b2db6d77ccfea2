import { setTimeout as sleep } from 'node:timers/promises'
import type { Organization } from '../seed.ts'
import type { Sent } from './steady-sends.ts'

type Page = { asked: number; ids: number[] }

/** Milliseconds after which a server that was not told of a write, or of a move, has looked by itself. */
const lookMs = 2_500

/** Someone who reads the newest messages of a drill at one server, again and again. */
export class PageReader {
  readonly name: string
  readonly latencies: number[] = []
  private readonly pages: Page[] = []
  private readonly url: string
  private readonly headers: { authorization: string }
  private isOver = false
  private readonly reading: Promise<void>

  constructor(port: number, organization: Organization) {
    const narrow = JSON.stringify([
      { operator: 'channel', operand: organization.small },
      { operator: 'topic', operand: 'drill' },
    ])
    const query = new URLSearchParams({ anchor: 'newest', num_before: '50', num_after: '0', narrow })
    this.url = `http://127.0.0.1:${port}/api/v1/messages?${query}`
    this.headers = { authorization: organization.authorization(0) }
    this.name = `pages at ${port}`
    this.reading = this.read()
    this.reading.catch(() => {})
  }

  stop() {
    this.isOver = true
    return this.reading
  }

  /** Pages that lack a message which was there. */
  faults(sent: Sent[]): string[] {
    return this.pages.flatMap(({ asked, ids }) => {
      const [oldest = 0, known] = [ids[0], new Set(ids)]
      const there = sent.filter(({ id, acknowledged }) => id >= oldest && acknowledged < asked - lookMs)
      const lacking = there.filter(({ id }) => !known.has(id)).map(({ id }) => id)
      return lacking.length > 0 ? [`${this.name}: a page lacks ${lacking.join()}`] : []
    })
  }

  private async read() {
    while (!this.isOver) {
      const [asked, begun] = [Date.now(), performance.now()]
      const response = await fetch(this.url, { headers: this.headers })
      if (!response.ok) throw new Error(`${this.name}: answered ${response.status}: ${await response.text()}`)
      const { messages } = (await response.json()) as { messages: { id: number }[] }
      this.latencies.push(performance.now() - begun)
      this.pages.push({ asked, ids: messages.map(({ id }) => id) })
      await sleep(50)
    }
  }
}
