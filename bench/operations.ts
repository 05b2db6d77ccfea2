import { eventTypesWithoutUsers } from '../test/event-types-without-users.ts'
import type { Bench } from './bench.ts'
import type { Slice } from './measure.ts'
import { rawRequest } from './raw-client.ts'
import type { Size } from './seed.ts'
import { texts } from './texts.ts'

/** An organization that is being measured. */
export type Subject = { bench: Bench; size: Size }

/** `reach`: whether its work concerns a few users, or all users or messages and so may take as many times as long. */
export type Operation = {
  what: string
  reach: 'few' | 'all'
  measure(subject: Subject): Promise<Slice[]>
}

/** What a client asks for that reads users when it meets them. */
export const withoutUsers = { fetch_event_types: JSON.stringify(eventTypesWithoutUsers) }

/** What users do, for organizations of any size. */
export const operations = {
  registerMessages: often('register, messages only', 'few', (as) =>
    rawRequest('POST', '/api/v1/register', as, { event_types: '["message"]' }),
  ),
  registerAll: often('register, everything, gzip', 'all', (as) => registration(zipped(as))),
  registerBare: often('register, without users, gzip', 'all', (as) => registration(zipped(as), withoutUsers)),
  users: often('list of users, gzip', 'all', (as) => rawRequest('GET', '/api/v1/users', zipped(as))),
  oneUser: often('one user', 'few', (as) => rawRequest('GET', '/api/v1/users/me', as)),
  pageOfChannel: often('page of a channel', 'few', (as, { organization }) =>
    pageOf(as, [{ operator: 'channel', operand: organization.large }]),
  ),
  pageOfAll: often('page of everything', 'few', (as) => pageOf(as, [])),
  search: often('search', 'all', (as) => pageOf(as, [{ operator: 'search', operand: 'deploy' }])),
  searchInChannel: often('search in a channel of ten people', 'few', (as, { organization }) =>
    pageOf(as, [
      { operator: 'channel', operand: organization.small },
      { operator: 'search', operand: 'deploy' },
    ]),
  ),
  sendToTen: often('send to 10 subscribers', 'few', (as, { organization }, i) =>
    sendTo(as, organization.small, i),
  ),
  sendToAll: often('send to all users', 'few', (as, { organization }, i) =>
    sendTo(as, organization.large, i),
  ),
  presence: often('presence, nothing new', 'few', (as) =>
    rawRequest('POST', `/api/v1/users/me/presence?last_update_id=${2 ** 40}`, as, {
      status: 'active',
      slim_presence: 'true',
    }),
  ),
  topics: often('topics of a channel', 'few', (as, { organization }) =>
    rawRequest('GET', `/api/v1/users/me/${organization.small}/topics`, as),
  ),
  subscribers: often('subscribers of the largest channel, gzip', 'all', (as, { organization }) =>
    rawRequest('GET', `/api/v1/streams/${organization.large}/members`, zipped(as)),
  ),
  /** A check of each of its conditions: whether the channel is there, whether the caller knows of it, and who is asked about. */
  permission: often('is a user subscribed', 'few', (as, { organization }) =>
    rawRequest('GET', `/api/v1/users/${organization.firstUser}/subscriptions/${organization.large}`, as),
  ),
  subscribeAll: {
    what: 'subscribe everybody',
    reach: 'all',
    measure: ({ bench, size }) =>
      inTurn(rounds, (i) => bench.timed(() => subscribeAll(bench, size, `project ${20 + i}`))),
  },
  subscribeOne: {
    what: 'subscribe one user to a channel',
    reach: 'few',
    measure: ({ bench }) =>
      inTurn(10 * rounds, (i) => bench.timed(() => bench.ask(subscribing(bench, `project ${30 + i}`, [5])))),
  },
  subscribeThousand: {
    what: 'subscribe 1,000 users to a channel',
    reach: 'few',
    measure: ({ bench }) => {
      const users = Array.from({ length: 1_000 }, (_, n) => n)
      return inTurn(rounds, (i) =>
        bench.timed(() => bench.ask(subscribing(bench, `project ${70 + i}`, users))),
      )
    },
  },
  changeName: {
    what: 'change of a name',
    reach: 'few',
    measure: ({ bench }) =>
      inTurn(10 * rounds, (i) =>
        bench.timed(() =>
          bench.ask(rawRequest('PATCH', '/api/v1/settings', as(bench, 3), { full_name: `Ann Other ${i}` })),
        ),
      ),
  },
} as const satisfies Record<string, Operation>

export const rounds = 3
/** Different people, so that caches must help others too. */
const people = 40

type Headers = Record<string, string>

export function as({ organization }: Pick<Bench, 'organization'>, user: number): Headers {
  return { authorization: organization.authorization(user) }
}

export function zipped(headers: Headers): Headers {
  return { ...headers, 'accept-encoding': 'gzip' }
}

/** Asks for the complete state, as the clients do that want most. */
export function registration(headers: Headers, wanted: Record<string, string> = {}): string {
  return rawRequest('POST', '/api/v1/register', headers, {
    apply_markdown: 'true',
    client_gravatar: 'true',
    slim_presence: 'true',
    client_capabilities: JSON.stringify({
      notification_settings_null: true,
      user_avatar_url_field_optional: true,
    }),
    ...wanted,
  })
}

/** One connection, on which several users send requests in turn. */
function often(
  what: string,
  reach: Operation['reach'],
  requestOf: (headers: Headers, bench: Bench, i: number) => string,
): Operation {
  return {
    what,
    reach,
    async measure({ bench, size: { smallChannel } }) {
      const script = Array.from({ length: people }, (_, i) =>
        requestOf(as(bench, i % smallChannel), bench, i),
      )
      const { port } = bench.server
      const during = (seconds: number) => bench.load.do('requests', { port, seconds, scripts: [script] })
      // What is made for the first of a kind of reader is not what later ones cost.
      for (const request of script) await bench.ask(request)
      return inTurn(rounds, () => bench.withCpuTime(() => during(2 * bench.slice)))
    },
  }
}

export async function inTurn<T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let i = 0; i < count; i++) done.push(await work(i))
  return done
}

/** Asks for the newest message of everything. */
export function newestOf(headers: Headers): string {
  return pageOf(headers, [], 1)
}

function pageOf(headers: Headers, narrow: object[], count = 100) {
  const query = new URLSearchParams({
    anchor: 'newest',
    num_before: String(count),
    num_after: '0',
    narrow: JSON.stringify(narrow),
    apply_markdown: 'true',
  })
  return rawRequest('GET', `/api/v1/messages?${query}`, headers)
}

export function sendTo(headers: Headers, channel: number, i: number) {
  const content = texts[i % texts.length]!
  return rawRequest('POST', '/api/v1/messages', headers, {
    type: 'channel',
    to: String(channel),
    topic: `topic ${i}`,
    content,
  })
}

/** Subscribes everybody to a channel, as many in one request as it takes. */
async function subscribeAll(bench: Bench, { users }: Size, name: string) {
  for (let first = 0; first < users; first += principalsPerRequest) {
    const count = Math.min(principalsPerRequest, users - first)
    const wanted = Array.from({ length: count }, (_, n) => first + n)
    await bench.ask(subscribing(bench, name, wanted))
  }
}

/** The first user subscribes these. */
function subscribing(bench: Bench, name: string, users: number[]) {
  const { firstUser } = bench.organization
  return rawRequest('POST', '/api/v1/users/me/subscriptions', as(bench, 0), {
    subscriptions: JSON.stringify([{ name }]),
    principals: JSON.stringify(users.map((n) => firstUser + n)),
  })
}

const principalsPerRequest = 20_000
