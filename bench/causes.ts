import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'undici'
import { home } from './server.ts'

// What a running node spends its processor time on, from samples that its inspector takes. The node may be killed afterwards.

/** Seconds by cause. */
export type Causes = Map<string, number>

type Frame = { functionName: string; url: string; lineNumber: number }
type Profile = {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

const intervalMicroseconds = 2_000

/** Options of Node for a node whose samples are taken through this port. */
export function inspectedAt(port: number): string[] {
  return [`--inspect=127.0.0.1:${port}`, '--inspect-publish-uid=http']
}

/** Takes samples of a node until `stop`. */
export async function sampleCauses(port: number): Promise<{ stop(): Promise<Causes> }> {
  const socket = new WebSocket(await addressOf(port))
  const waiting = new Map<number, (result: object) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  })
  let last = 0
  const call = (method: string, params = {}) =>
    new Promise<object>((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: intervalMicroseconds })
  await call('Profiler.start')
  return {
    async stop() {
      const { profile } = (await call('Profiler.stop')) as { profile: Profile }
      socket.close()
      return causesIn(profile, await moduleStarts())
    },
  }
}

async function addressOf(port: number): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        webSocketDebuggerUrl: string
      }[]
      if (target) return target.webSocketDebuggerUrl
    } catch (error) {
      if (tries > 50) throw error
    }
    await sleep(100)
  }
}

/** By the file in which the innermost frame of ours, or of a package, is. The first that matches counts. */
const causes: [RegExp, string][] = [
  [/^src\/(log\/nodes|adapters\/nats)/, 'telling and hearing of other nodes'],
  [/^src\/lib\/sealed/, 'telling and hearing of other nodes'],
  [/^src\/queues/, 'events for listeners'],
  [/^src\/features\/clients\/events/, 'events for listeners'],
  [/^src\/log/, 'the log'],
  [/^src\/(db|postgres)|^node_modules\/(pg|kysely)/, 'queries'],
  [/^src\/(jobs|features\/notifications)/, 'jobs and notifications'],
  [/^src\/http|^node_modules\/(fastify|find-my-way|@fastify)/, 'requests'],
  [/^src\/(features|markdown)/, 'operations'],
]

function causesIn({ nodes, samples, timeDeltas }: Profile, starts: [number, string][]): Causes {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const known = new Map<number, string>()
  const causeOf = (id: number): string => {
    const { callFrame } = byId.get(id)!
    if (callFrame.functionName === '(garbage collector)') return 'garbage collection'
    const file = callFrame.url.endsWith('.js') ? fileAt(callFrame.lineNumber, starts) : ''
    const found = callFrame.url.includes('/dist/') && causes.find(([pattern]) => pattern.test(file))
    const parent = parents.get(id)
    return found ? found[1] : parent === undefined ? 'the network, and the rest' : causeOf(parent)
  }
  const total: Causes = new Map()
  for (const [i, id] of samples.entries()) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue
    const cause = known.get(id) ?? causeOf(id)
    known.set(id, cause)
    total.set(cause, (total.get(cause) ?? 0) + timeDeltas[i]! / 1e6)
  }
  return total
}

/** The line where each file begins in what was built: its comments say that. */
async function moduleStarts(): Promise<[number, string][]> {
  const lines = (await readFile(`${home}dist/server.js`, 'utf8')).split('\n')
  return lines.flatMap((line, i): [number, string][] => {
    const [, file] = /^\/\/ (?:\S*\/)?((?:src|node_modules)\/\S+)$/.exec(line) ?? []
    return file === undefined ? [] : [[i, file]]
  })
}

function fileAt(line: number, starts: [number, string][]): string {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]![0] <= line) low = middle + 1
    else high = middle
  }
  return starts[low - 1]?.[1] ?? ''
}
