import type { ChildProcess, StdioOptions } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiPrefix } from '../../src/http/server.ts'
import { encode, type Sent } from '../http.ts'
import { runScript } from '../processes/script.ts'
import type { LargeOrganization } from './organization.ts'

const agent = new Agent({ keepAlive: true })

/** A request as it goes over the wire. */
export type Request = { method: string; path: string; body: string; user: number }
export type Answered = { status: number; text: string }

/** The effect of a request on other callers, relative to what is normal here. */
export type Effect = {
  /** The longest that the event loop was busy, in units of a fixed piece of work. */
  loop: number
  /** The longest that another's small request waited, relative to its usual time. */
  wait: number
}

/** Between two small requests: little, compared with how long one may wait, and it leaves the processor to the node. */
const pauseMs = 10

/** A small request: one that writes, and one that reads the database. */
const small: Omit<Request, 'user'>[] = [
  { method: 'POST', path: '/messages/flags', body: 'messages=[1]&op=add&flag=starred' },
  { method: 'GET', path: '/messages?anchor=1&num_before=0&num_after=1', body: '' },
]

/** Other callers, which send small requests all the time, at a node in a process of its own. */
export class Others {
  private readonly org: LargeOrganization
  private readonly node: ChildProcess
  private readonly port: number
  private readonly unit: number
  private readonly usual: number[] = []
  private isStopping = false

  private constructor(
    org: LargeOrganization,
    node: ChildProcess,
    { port, unit }: { port: number; unit: number },
  ) {
    this.org = org
    this.node = node
    this.port = port
    this.unit = unit
  }

  static async begin(org: LargeOrganization): Promise<Others> {
    const stdio: StdioOptions = ['pipe', 'inherit', 'inherit', 'ipc']
    const node = await runScript("import './test/largest/measured-node.ts'", { stdio }, org.url)
    const others = new Others(org, node, await messageOf(node))
    await others.findUsual()
    return others
  }

  /** Measures the effect on others while a request runs. */
  async during(ask: () => Promise<unknown>): Promise<Effect> {
    this.node.send('begin')
    let isDone = false
    const waits = small.map((one, i) => this.longestOf(one, () => isDone, this.usual[i]!))
    await ask().finally(() => {
      isDone = true
    })
    const wait = Math.max(...(await Promise.all(waits)))
    this.node.send('end')
    const { longest } = await messageOf<{ longest: number }>(this.node)
    return { loop: longest / this.unit, wait }
  }

  send({ method, path, body, user }: Request): Promise<Answered> {
    const headers: Record<string, string | number> = {
      host: 'chat.test',
      authorization: this.org.authorization(user),
    }
    if (body !== '') {
      headers['content-type'] = 'application/x-www-form-urlencoded'
      headers['content-length'] = Buffer.byteLength(body)
    }
    return new Promise((resolve, reject) => {
      const options = { agent, host: '127.0.0.1', port: this.port, method, path: apiPrefix + path, headers }
      const outgoing = request(options, (incoming) => {
        let text = ''
        // Large responses are not parsed, which would keep this process busy.
        incoming.on('data', (piece: Buffer) => {
          if (text.length < 500) text += piece.toString('latin1', 0, 500)
        })
        incoming.on('end', () => resolve({ status: incoming.statusCode!, text }))
        incoming.on('error', reject)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  async end() {
    this.isStopping = true
    const ended = new Promise((resolve) => this.node.once('exit', resolve))
    this.node.send('stop')
    await ended
    agent.destroy()
  }

  private async findUsual() {
    for (const one of small) {
      const times: number[] = []
      for (let i = 0; i < 150; i++) times.push(await this.timeOf(one))
      times.sort((a, b) => a - b)
      // The first ones are slow, and on a busy machine many are.
      this.usual.push(times[Math.floor(0.75 * times.length)]!)
    }
  }

  private async longestOf(one: Omit<Request, 'user'>, isDone: () => boolean, usual: number) {
    let longest = 0
    for (;;) {
      longest = Math.max(longest, await this.timeOf(one))
      if (isDone() || this.isStopping) return longest / usual
      await sleep(pauseMs)
    }
  }

  private async timeOf(one: Omit<Request, 'user'>) {
    const begun = performance.now()
    const { status, text } = await this.send({ ...one, user: this.org.users.length / 2 })
    if (status !== 200) throw new Error(`a small request was answered ${status}: ${text}`)
    return performance.now() - begun
  }
}

/** `path` without the API's prefix. */
export function requestOf(method: string, path: string, params: Sent, user: number): Request {
  const coded = encode(params)
  if (method !== 'GET') return { method, path, body: coded, user }
  return { method, path: coded ? `${path}?${coded}` : path, body: '', user }
}

function messageOf<T>(node: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the node has ended'))
    node.once('exit', ended)
    node.once('message', (message) => {
      node.off('exit', ended)
      resolve(message as T)
    })
  })
}
