import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../src/lib/network/free-port.ts'
import { rawRequest, serial } from './raw-client.ts'
import { type Organization, type Size, seed } from './seed.ts'
import { type RunningServer, serve, serverEnvironment } from './server.ts'
import { texts } from './texts.ts'

/** Where nodes are, and what they share. */
export type NodesPlan = {
  databaseUrl: string
  natsUrl: string | undefined
  /** Each gets a directory here. */
  place: string
  /** Options of Node. */
  options?: string[]
}

/** The public address of all nodes: organizations have their names in front of it. */
const publicHost = 'chat.test'

/** Starts a node. `port`: the port of the node that it replaces. */
export async function startNode(name: string, plan: NodesPlan, port?: number): Promise<RunningServer> {
  const { databaseUrl, natsUrl, place, options } = plan
  const data = join(place, name)
  await mkdir(data, { recursive: true, mode: 0o700 })
  const own = port ?? (await freePort())
  const environment: NodeJS.ProcessEnv = {
    ...serverEnvironment(own, data),
    DATABASE_URL: databaseUrl,
    ROOKERY_URL: `http://${publicHost}`,
    ROOKERY_SECRET: secret,
    ROOKERY_DATABASE_CONNECTIONS: '10',
  }
  delete environment.NATS_URL
  if (natsUrl !== undefined) environment.NATS_URL = natsUrl
  return serve(own, environment, options)
}

/** The same for all nodes. */
const secret = 'a secret of the benchmark, as long as secrets have to be'

/** The seconds for which all threads of a process have run, exactly; not a number where there is no /proc. */
export function exactCpuSeconds(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const nanoseconds = threads.map((id) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e9
  } catch {
    return Number.NaN
  }
}

/** An organization, and the Host header by which requests reach it. */
export type Hosted = Organization & { host: string }

/** Puts organizations of one size into an empty database, beside the first organization, which answers any host. */
export async function seedHosted(url: string, names: string[], size: Size): Promise<Hosted[]> {
  await seed(url, size)
  const made: Hosted[] = []
  for (const name of names) made.push({ ...(await seed(url, size, name)), host: `${name}.${publicHost}` })
  return made
}

/** An organization for measurements in which its size does not matter. */
export const smallSize: Size = {
  users: 200,
  channels: 20,
  subscriptionsPerUser: 5,
  smallChannel: 10,
  messages: 2_000,
  unread: 100,
  newcomers: 1,
  channelsOfReader: 5,
}

/** Sends of one user. */
export function sendsOf({ small, host, authorization }: Hosted, user: number): string[] {
  return texts.map((text) =>
    rawRequest(
      'POST',
      '/api/v1/messages',
      { authorization: authorization(user), host },
      { type: 'stream', to: String(small), topic: 'news', content: `${serial} ${text}` },
    ),
  )
}
