import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Causes } from '../causes.ts'
import { type Hosted, seedHosted } from '../nodes.ts'
import { size } from '../seed.ts'
import { DrillCluster } from './cluster.ts'
import { faultsOf } from './heard.ts'
import { MovingListener } from './moving-listener.ts'
import { DrillSender } from './sends.ts'
import { delays } from './steady-sends.ts'

// Kills nodes, NATS and the database in turn while people write through all nodes, and listeners go from one to another: nothing may
// be lost, repeated or out of order.

const usage = `npm run drill:nodes [-- --nodes N --listeners N --rate N --seconds N --at DIRECTORY]

--nodes N        nodes on one database (3). They use NATS if nats-server is on the path or at TEST_NATS_SERVER
--listeners N    clients that listen, half of them by polls, half by streams of events (3000)
--rate N         sends per second, one in five of them to all users of an organization (20)
--seconds N      how long (90)
--at DIRECTORY   where there is room (the temporary files)
`

const organizations = ['one', 'two', 'three']
/** The mean time for which a listener stays at a node. */
const stayMs = 20_000
/** The time between two kills, and for which a killed node or NATS is away. */
const killEveryMs = 7_000
const awayMs = 2_500
/** Listeners that register at the same time. */
const together = 30

type Plan = { nodes: number; listeners: number; rate: number; seconds: number }

async function main() {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string', default: '3' },
      listeners: { type: 'string', default: '3000' },
      rate: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '90' },
      at: { type: 'string', default: tmpdir() },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(usage)
  const place = await mkdtemp(join(values.at, 'rookery-drill-'))
  const cluster = await DrillCluster.start(place)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    const [nodes, listeners] = [Number(values.nodes), Number(values.listeners)]
    const plan = { nodes, listeners, rate: Number(values.rate), seconds: Number(values.seconds) }
    const faults = await carryOut(cluster, plan)
    for (const fault of faults.slice(0, 20)) console.log(`FAULT  ${fault}`)
    const isGood = faults.length === 0
    console.log(isGood ? 'Nothing is lost, repeated or out of order.' : `${faults.length} faults.`)
    process.exitCode = isGood ? 0 : 1
  } finally {
    await cluster.stop()
    await rm(place, { recursive: true, force: true })
  }
}

/** Returns what went wrong. */
async function carryOut(cluster: DrillCluster, plan: Plan): Promise<string[]> {
  const users = Math.ceil(plan.listeners / organizations.length)
  const small = { ...size, users, channels: 20, messages: 1_000, unread: 100, newcomers: 1 }
  const hosted = await seedHosted(cluster.database.url, organizations, small)
  console.log(`${plan.nodes} nodes, which tell each other by ${cluster.nats ? 'NATS' : 'NOTIFY'}`)
  for (let i = 0; i < plan.nodes; i++) await cluster.startNode(i)
  const ports = [...cluster.nodePorts]
  const listeners = await gather(hosted, ports, plan.listeners)
  console.log(`${plan.listeners} listeners`)
  const senders = hosted.map((organization) =>
    ports.map(
      (_, i) => new DrillSender(organization, ports, i, (1000 * ports.length * hosted.length) / plan.rate),
    ),
  )
  await killInTurn(cluster, plan)
  for (const sender of senders.flat()) await sender.stop()
  await untilAllHave(listeners, senders)
  for (const those of listeners) await Promise.all(those.map((listener) => listener.stop()))
  report(listeners, senders)
  for (const node of await cluster.spent()) console.log(causesText(node))
  return hosted.flatMap((_, i) => faultsIn(listeners[i]!, senders[i]!))
}

/** Listeners of each organization. */
async function gather(hosted: Hosted[], ports: number[], count: number): Promise<MovingListener[][]> {
  const listeners: MovingListener[][] = hosted.map(() => [])
  for (let begun = 0; begun < count; begun += together) {
    const numbers = Array.from({ length: Math.min(together, count - begun) }, (_, i) => begun + i)
    const more = numbers.map(async (number) => {
      const which = number % hosted.length
      const user = Math.floor(number / hosted.length)
      const plan = { organization: hosted[which]!, user, isStream: user % 2 === 0, ports, stayMs }
      listeners[which]!.push(await MovingListener.begin(plan))
    })
    await Promise.all(more)
  }
  return listeners
}

async function killInTurn(cluster: DrillCluster, { nodes, seconds }: Plan) {
  const end = performance.now() + seconds * 1_000
  const others = cluster.nats ? ['NATS', 'the database'] : ['the database']
  // Others between the nodes: a, NATS, b, the database, c, NATS …
  for (let turn = 0; performance.now() + killEveryMs < end; turn++) {
    const node = Math.floor(turn / 2) % nodes
    const what = turn % 2 === 0 ? `node ${'abcdefghij'[node]}` : others[Math.floor(turn / 2) % others.length]!
    await sleep(killEveryMs - awayMs)
    console.log(`kills ${what}`)
    if (what === 'NATS') await cluster.nats!.kill()
    else if (what === 'the database') await cluster.killDatabase()
    else await cluster.killNode(node)
    await sleep(awayMs)
    if (what === 'NATS') await cluster.nats!.start()
    else if (what !== 'the database') await cluster.startNode(node)
  }
}

/** Waits until all have what they should, or nobody can wait for it any longer. */
async function untilAllHave(listeners: MovingListener[][], senders: DrillSender[][]) {
  const end = performance.now() + 60_000
  const lacks = () =>
    listeners.some((those, i) =>
      those.some((listener) => listener.heard.length < sentTo(listener, senders[i]!).length),
    )
  while (performance.now() < end && lacks()) await sleep(200)
  // A repetition may come later.
  await sleep(1_000)
}

/** What a listener should have heard. */
function sentTo({ user }: MovingListener, senders: DrillSender[]) {
  return senders.flatMap(({ sent }) => sent.filter(({ isToAll }) => isToAll || user < size.smallChannel))
}

function faultsIn(listeners: MovingListener[], senders: DrillSender[]): string[] {
  const unsure = new Set(senders.flatMap((sender) => [...sender.unsure]))
  return [
    ...[...listeners, ...senders].flatMap(({ faults }) => faults),
    ...listeners.flatMap((listener) =>
      faultsOf(listener.name, listener.heard, sentTo(listener, senders), unsure),
    ),
  ]
}

function report(listeners: MovingListener[][], senders: DrillSender[][]) {
  const sent = senders.flat().flatMap((sender) => sender.sent)
  const unsure = senders.flat().reduce((count, sender) => count + sender.unsure.size, 0)
  const latencies = sent.map(({ latency }) => latency)
  console.log(`${sent.length} messages were acknowledged, ${unsure} were not; ${delays(latencies)}`)
  const all = listeners.flat()
  const count = (of: (listener: MovingListener) => number) => all.reduce((sum, one) => sum + of(one), 0)
  const late = listeners.flatMap((those, i) => {
    const begun = new Map(senders[i]!.flatMap((s) => s.sent).map((m) => [m.text, m.acknowledged - m.latency]))
    return those.flatMap(({ heard }) =>
      heard.flatMap(({ text, at }) => (begun.has(text) ? [at - begun.get(text)!] : [])),
    )
  })
  const [heard, moves] = [count((one) => one.heard.length), count((one) => one.moves)]
  console.log(`${heard} were heard, by listeners that moved ${moves} times; ${delays(late)}`)
}

function causesText({ name, seconds, causes }: { name: string; seconds: number; causes: Causes }): string {
  const lines = [...causes].toSorted(([, a], [, b]) => b - a)
  const parts = lines.map(([cause, spent]) => `  ${spent.toFixed(1).padStart(6)} s  ${cause}`)
  return [`node ${name}: ${seconds.toFixed(1)} s of the processor`, ...parts].join('\n')
}

await main()
