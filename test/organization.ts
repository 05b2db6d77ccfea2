import { randomBytes } from 'node:crypto'
import { roles } from '../src/db/roles.ts'
import type { ChannelRow } from '../src/db/schema.ts'
import type { GroupSetting } from '../src/db/values.ts'
import { hashPassword } from '../src/features/accounts/kernel/login/passwords.ts'
import { addPerson } from '../src/features/accounts/kernel/users/add-person.ts'
import { addApiKey } from '../src/features/bots/kernel/login/api-keys.ts'
import { systemGroupId } from '../src/features/kernel/groups/access.ts'
import {
  type ChannelPermission,
  channelPermissions,
  type SystemGroup,
} from '../src/features/kernel/groups/permission-settings.ts'
import { sessionCookie } from '../src/http/callers/session.ts'
import { hashKey } from '../src/lib/secrets/hash-key.ts'
import type { Site } from '../src/lib/site.ts'
import type { Change } from '../src/log/change.ts'
import type { RealmLog } from '../src/log/realm-log.ts'
import { createOrganization } from '../src/setup/create-organization.ts'
import type { Place } from './http.ts'
import { Caller, Person } from './person.ts'
import type { Node } from './test-server.ts'

type NewPerson = { role?: keyof typeof roles; name?: string; email?: string }

type NewChannel = {
  name?: string
  subscribers?: Person[]
  creator?: Person
  isPrivate?: boolean
  isWebPublic?: boolean
  isDefault?: boolean
  /** Whether subscribers may read messages from before they joined. By default in public channels. */
  hasOpenHistory?: boolean
  permissions?: Partial<Record<ChannelPermission, GroupSetting | SystemGroup>>
}

/**
 * An organization made for one test. People and channels are created without events: create them before registering the
 * clients that must know them.
 */
export class Organization {
  readonly id: number
  readonly place: Place
  readonly owner: Person
  /** A caller without a login. */
  readonly visitor: Caller
  /** The log of the organization on the first node. */
  readonly log: RealmLog
  private readonly site: Site | undefined
  private people = 0
  private channels = 0

  constructor(log: RealmLog, owner: Person, site?: Site) {
    this.id = log.state.id
    this.log = log
    this.site = site
    this.owner = owner
    this.place = owner.place
    this.visitor = new Caller(owner.place)
  }

  get state() {
    return this.log.state
  }

  /** Loads avatars from gravatar.com for users without an uploaded one, as `rookery realm gravatar on` does. */
  async useGravatar(gravatar = true) {
    await this.log.commit((change) => {
      const { id, settings } = change.state.row
      return change.update('realm', { id, settings: { ...settings, gravatar } })
    })
  }

  /** Creates a user, by default a member, who can log in. */
  async person({ role = 'member', name, email }: NewPerson = {}): Promise<Person> {
    this.people += 1
    const fullName = name ?? `${role} ${this.people}`
    const address = email ?? `${fullName.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@example.com`
    const { id, key } = await this.log.commit(async (change) => {
      const { id } = await change.insert('account', {
        delivery_email: address,
        full_name: fullName,
        role: roles[role],
        created_at: change.now,
      })
      return { id, key: await addApiKey(change, id, 'test') }
    })
    return new Person(this.place, { id, name: fullName, email: address, key })
  }

  /** Creates many members, all subscribed to a channel if one is given. Returns their ids. */
  crowd(count: number, channel?: ChannelRow): Promise<number[]> {
    return this.log.commit(async (change) => {
      const people = Array.from({ length: count }, (_, i) => ({
        delivery_email: `crowd${i}@example.com`,
        full_name: `Crowd ${i}`,
        role: roles.member,
        created_at: change.now,
      }))
      const ids = (await change.insertAll('account', people)).map(({ id }) => id)
      if (channel) await subscribe(change, channel.id, ids)
      return ids
    })
  }

  /** Creates a generic bot of a user. */
  async bot(master: Person): Promise<Person> {
    this.people += 1
    const name = `bot ${this.people}`
    const { body } = await master.post('/bots', { full_name: name, short_name: `bot${this.people}` })
    const email = this.state.users.require(body.user_id).delivery_email
    return new Person(this.place, { id: body.user_id, name, email, key: body.api_key })
  }

  /** Creates a member with a password, as an administrator does. It is hashed once for all who have the same one. */
  async personWithPassword(person: { name: string; email: string; password: string }): Promise<Person> {
    const { name, email } = person
    if (!this.site) throw new Error('This organization has no node in this process.')
    const site = this.site
    const passwordHash = await hashOf(person.password)
    const { id, key } = await this.log.commit(async (change) => {
      const { id } = await addPerson(change, site, {
        email,
        fullName: name,
        role: roles.member,
        passwordHash,
      })
      return { id, key: await addApiKey(change, id, 'test') }
    })
    return new Person(this.place, { id, name, email, key })
  }

  /** Logs a user in with a browser, without the time that a password takes. Returns the cookie of the session. */
  async session(person: Person): Promise<{ name: string; value: string }> {
    if (!this.site) throw new Error('This organization has no node in this process.')
    const token = randomBytes(32).toString('base64url')
    await this.log.commit(async (change) => {
      const { now } = change
      const common = { user_id: person.id, client: 'Firefox on Linux' }
      await change.insert('login', { ...common, method: 'Email', ip: '127.0.0.1', at: now })
      await change.insert('session', { ...common, hash: hashKey(token), created_at: now, last_used_at: now })
    })
    const { name, value } = sessionCookie(this.site, token)
    return { name, value }
  }

  /** Creates a channel, by default public. */
  channel(channel: NewChannel = {}): Promise<ChannelRow> {
    this.channels += 1
    const name = channel.name ?? `channel ${this.channels}`
    return this.log.commit(async (change) => {
      const row = await insertChannel(change, { creator: this.owner, ...channel, name })
      const subscribers = (channel.subscribers ?? []).map(({ id }) => id)
      await subscribe(change, row.id, subscribers)
      return row
    })
  }

  /** Returns the id of a system group. */
  group(name: SystemGroup): number {
    return systemGroupId(this.state, name)
  }
}

/** Creates the users that most tests need: an administrator, two members, and a guest. */
export async function cast(org: Organization) {
  const [admin, anna, ben, guest] = await Promise.all([
    org.person({ role: 'administrator' }),
    org.person({ name: 'Anna' }),
    org.person({ name: 'Ben' }),
    org.person({ role: 'guest' }),
  ])
  return { org, admin, anna, ben, guest }
}

/** Creates Anna, Ben, and a channel with both. */
export async function annaAndBen(org: Organization, channel: NewChannel = {}) {
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  return { org, anna, ben, channel: await org.channel({ subscribers: [anna, ben], ...channel }) }
}

const hashes = new Map<string, Promise<string>>()

/** Hashes each password once, as that takes as long as creating an organization. */
export function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

/** Creates an organization that the node serves on SUBDOMAIN.chat.test; `database`: where it is, if not in the main one. */
export async function newOrganization(
  { app, port, host, site }: Node,
  subdomain: string,
  database?: string,
): Promise<Organization> {
  const account = { name: 'Owner', email: `owner@${subdomain}.example.com` }
  const { realmId, result } = await createOrganization(app.realms.databases, {
    channels: [],
    database,
    name: subdomain,
    subdomain,
    ownerEmail: account.email,
    ownerName: account.name,
    passwordHash: await hashOf('correct horse'),
    now: Math.floor(Date.now() / 1000),
  })
  const place = { port, host: `${subdomain}.${host}` }
  const owner = new Person(place, { ...account, id: result.owner.id, key: result.key })
  return new Organization(await app.realms.byId(realmId), owner, site)
}

function subscribe(change: Change, channel_id: number, userIds: number[]) {
  const received: [number, null][] = [[change.lastMessageId + 1, null]]
  const rows = userIds.map((user_id) => ({ user_id, channel_id, received, color: '#76ce90' }))
  return change.insertAll('subscription', rows)
}

async function insertChannel(
  change: Change,
  channel: NewChannel & { name: string; creator: Person },
): Promise<ChannelRow> {
  const { id } = await change.insert('channel', {
    recipient_id: 0, // not known yet: the recipient's row wants the channel's id
    name: channel.name,
    creator_id: channel.creator.id,
    is_private: channel.isPrivate ?? false,
    is_web_public: channel.isWebPublic ?? false,
    is_default: channel.isDefault ?? false,
    history_public_to_subscribers: channel.hasOpenHistory ?? !channel.isPrivate,
    permissions: permissionsOf(change, channel),
    created_at: change.now,
  })
  const recipient = await change.insert('recipient', { channel_id: id })
  return change.update('channel', { id, recipient_id: recipient.id })
}

function permissionsOf(change: Change, { creator, permissions }: NewChannel & { creator: Person }) {
  const values = Object.entries(channelPermissions).map(([name, setting]): [string, GroupSetting] => {
    const value = permissions?.[name as ChannelPermission] ?? setting.default
    if (typeof value !== 'string') return [name, value]
    if (value === 'channel_creator') return [name, { direct_members: [creator.id], direct_subgroups: [] }]
    return [name, systemGroupId(change.state, value as SystemGroup)]
  })
  return Object.fromEntries(values)
}
