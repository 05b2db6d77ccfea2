import { expect, test } from 'vitest'
import { apply, type Client, type Wire } from '../../../../test/client.ts'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { differences } from '../../../../test/random/compare.ts'
import { tries } from '../../../../test/runner/effort.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { channelPermissions } from '../../kernel/groups/permission-settings.ts'

const { organization } = sharedServer()

/** Clients that do not know of archiving and deactivated groups. */
const oldClient = { client_capabilities: { notification_settings_null: true } }

test.each([1, 2, 3])(
  'whatever happens, the events lead to what a user may see (%i)',
  async (seed) => {
    const org = await organization()
    const play = new Play(org, randomly(seed))
    await play.begin()
    for (let step = 0; step < tries(40); step++) {
      const done = await play.change()
      for (const watcher of play.watchers) await watcher.check(`${seed}/${step} ${done}`)
      await play.checkVisitor(`${seed}/${step} ${done}`)
    }
  },
  60_000,
)

/** The possible properties of a channel. */
const kinds = [
  { is_private: false, is_web_public: true },
  { is_private: false, is_web_public: false },
  { is_private: true, is_web_public: false },
  { is_private: true, is_web_public: false, history_public_to_subscribers: true },
]

/** Users, channels, folders and groups, and users who act. */
class Play {
  readonly watchers: Watcher[] = []
  private readonly org: Organization
  private readonly random: (limit: number) => number
  private people: Person[] = []
  /** They do nothing themselves, and are not always present. */
  private passive: Person[] = []
  private groups: number[] = []
  private folders: number[] = []

  constructor(org: Organization, random: (limit: number) => number) {
    this.org = org
    this.random = random
  }

  async begin() {
    const { org } = this
    await org.owner.patch('/realm', { enable_spectator_access: true })
    for (const role of ['administrator', 'member', 'member', 'guest'] as const) {
      this.people.push(await org.person({ role }))
    }
    this.people.push(org.owner)
    this.passive = [await org.person(), await org.person({ role: 'guest' })]
    for (const kind of [
      {},
      { isPrivate: true },
      { isWebPublic: true },
      { isPrivate: true, hasOpenHistory: true },
    ]) {
      await org.channel({ ...kind, subscribers: this.some(), creator: this.one(this.people) })
    }
    for (const name of ['x', 'y']) {
      const folder = await org.owner.post('/channel_folders/create', { name, description: '' })
      this.folders.push(folder.body.channel_folder_id)
    }
    for (const name of ['a', 'b', 'c']) {
      const fields = { name, description: '', members: this.some().map(({ id }) => id) }
      this.groups.push((await org.owner.post('/user_groups/create', fields)).body.group_id)
    }
    for (const person of this.people) {
      for (const kind of [{}, oldClient])
        this.watchers.push(new Watcher(person, kind, await person.register(kind)))
    }
  }

  /** Spectators see the web-public channels, and no other. */
  async checkVisitor(story: string) {
    const { subscriptions } = (await this.org.visitor.post('/register')).body
    const channels = [...this.org.state.channels.values()]
    const open = channels.filter((channel) => channel.is_web_public && !channel.is_archived)
    const names = subscriptions.map((channel: Wire) => channel.name).sort()
    expect(names, story).toEqual(open.map(({ name }) => name).sort())
  }

  /** A user does something, allowed or not. Returns a description of it. */
  async change(): Promise<string> {
    const actor = this.one([this.org.owner, this.org.owner, ...this.people])
    const channel = this.one([...this.org.state.channels.values()])
    const group = this.one(this.groups)
    const path = `/streams/${channel.id}`
    const subscriptions = '/users/me/subscriptions'
    const principals = this.some().map(({ id }) => id)
    const members = `/user_groups/${group}/members`
    const coin = this.random(2) === 1
    const doings: [string, () => Promise<{ body: Wire }>][] = [
      ['join', () => actor.post(subscriptions, { subscriptions: [{ name: channel.name }], principals })],
      ['leave', () => actor.delete(subscriptions, { subscriptions: [channel.name], principals })],
      ['privacy', () => actor.patch(path, { is_private: coin })],
      ['openness', () => actor.patch(path, this.one(kinds))],
      ['end of a person', () => actor.delete(`/users/${this.one(this.passive).id}`)],
      ['return of a person', () => actor.post(`/users/${this.one(this.passive).id}/reactivate`)],
      ['say', () => actor.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'hi' })],
      ['folder', () => actor.patch(path, { folder_id: this.one([null, ...this.folders]) })],
      [
        'folders',
        () => actor.patch(`/channel_folders/${this.one(this.folders)}`, { name: `${this.random(99)}` }),
      ],
      [
        'role',
        () => actor.patch(`/users/${this.one(this.people).id}`, { role: this.one([200, 300, 400, 600]) }),
      ],
      ['permission', () => actor.patch(path, { [this.permission()]: { new: this.holders() } })],
      [
        'archive',
        () => (channel.is_archived ? actor.patch(path, { is_archived: false }) : actor.delete(path)),
      ],
      ['rename', () => actor.patch(path, { new_name: `name ${this.random(1e6)}`, description: 'd' })],
      ['default', () => actor.patch(path, { is_default_stream: coin })],
      ['members', () => actor.post(members, { [coin ? 'add' : 'delete']: principals.slice(0, 1) })],
      [
        'subgroups',
        () => actor.post(members, { [coin ? 'add_subgroups' : 'delete_subgroups']: [this.one(this.groups)] }),
      ],
      ['end', () => actor.post(`/user_groups/${group}/deactivate`)],
      [
        'revive',
        () => actor.patch(`/user_groups/${group}`, { deactivated: false, description: `${this.random(99)}` }),
      ],
      ['create', () => actor.post(subscriptions, this.newChannel(principals, coin))],
    ]
    const [name, act] = this.one(doings)
    const { body } = await act()
    return `${name} by ${actor.name}: ${JSON.stringify(body).slice(0, 200)}`
  }

  private newChannel(principals: number[], isPrivate: boolean) {
    const name = `new ${this.random(1e6)}`
    return {
      subscriptions: [{ name }],
      principals,
      invite_only: isPrivate,
      is_web_public: !isPrivate && this.random(2) === 0,
      can_subscribe_group: this.holders(),
    }
  }

  private permission() {
    return this.one(Object.keys(channelPermissions))
  }

  private holders() {
    const systems = ['role:nobody', 'role:members', 'role:moderators'] as const
    const groups = [...this.groups, ...systems.map((name) => this.org.group(name))]
    const subgroups = this.random(2) === 0 ? [this.one(groups)] : []
    return { direct_members: this.some().map(({ id }) => id), direct_subgroups: subgroups }
  }

  private some() {
    return [...this.people, ...this.passive].filter(() => this.random(3) === 0)
  }

  private one<T>(items: T[]): T {
    return items[this.random(items.length)]!
  }
}

/** A client whose state is updated by its events and compared with the state of a new client. */
class Watcher {
  private readonly person: Person
  private readonly params: object
  private readonly client: Client
  private readonly state: Wire

  constructor(person: Person, params: object, client: Client) {
    this.person = person
    this.params = params
    this.client = client
    this.state = structuredClone(client.state)
  }

  async check(story: string) {
    const events = await this.client.events()
    for (const event of events) apply(this.state, event)
    for (const id of channelsIn(events)) await this.checkSight(id, story, events)
    for (const { message } of events.filter(({ type }) => type === 'message')) {
      const { body } = await this.person.get(`/messages/${message.id}`)
      if (body.result !== 'success') expect.fail(`${story}: ${this.person.name} hears ${message.content}`)
    }
    const fresh = (await this.person.register({ ...this.params })).state
    const found = differences(withoutPast(this.state), withoutPast(fresh))
    if (found.length > 0) expect.fail([story, this.person.name, ...found, ...events.map(brief)].join('\n'))
  }

  /** No client receives a channel that its user could not find. */
  private async checkSight(id: number, story: string, events: Wire[]) {
    const params = { include_all: true, exclude_archived: false }
    const { streams } = (await this.person.get('/streams', params)).body
    const sees = streams.some((channel: { stream_id: number }) => channel.stream_id === id)
    if (!sees) expect.fail([`${story}: ${this.person.name} hears of ${id}`, ...events.map(brief)].join('\n'))
  }
}

/** The channels that events refer to, except removals. */
function channelsIn(events: Wire[]): Set<number> {
  const told = events.filter(({ type, op }) => type === 'stream' && op !== 'delete')
  const ids = told.map((event) => event.stream_id ?? event.streams[0].stream_id)
  const peers = events.filter(({ op }) => op === 'peer_add' || op === 'peer_remove')
  return new Set([...ids, ...peers.flatMap(({ stream_ids }) => stream_ids)])
}

/** Clients that lose a channel forget whether their user was subscribed to it before. */
function withoutPast(state: Wire): Wire {
  const { subscriptions, unsubscribed, never_subscribed, ...rest } = state
  const own = ['color', 'is_muted', 'in_home_view', 'pin_to_top', 'wildcard_mentions_notify']
  const kinds = ['desktop', 'audible', 'push', 'email'].map((kind) => `${kind}_notifications`)
  const others = [...unsubscribed, ...never_subscribed].map((channel: Wire) => {
    const shared = Object.entries(channel).filter(([name]) => ![...own, ...kinds].includes(name))
    return Object.fromEntries(shared)
  })
  return structuredClone({ ...rest, subscriptions, others })
}

function brief(event: Wire) {
  return `  ${JSON.stringify(event).slice(0, 300)}`
}

/** Numbers below a limit, the same for the same seed. */
function randomly(seed: number) {
  let state = seed * 2_654_435_761
  return (limit: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
