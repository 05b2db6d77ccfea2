import pg from 'pg'
import { type Organization, seed } from '../../bench/seed.ts'
import { groupPermissions } from '../../src/features/kernel/groups/permission-settings.ts'
import { newDatabase } from '../runner/database.ts'
import { effort } from '../runner/effort.ts'
import type { Existing } from './requests.ts'

/** A fifth of the size in CI takes a fifth of the time, and still shows costs that grow faster than they should. */
const share = effort < 1 ? 0.2 : 1
const size = {
  users: 10_000 * share,
  channels: 300 * share,
  subscriptionsPerUser: 10,
  smallChannel: 10,
  messages: 20_000 * share,
  unread: 2_000 * share,
  newcomers: 100 * share,
  channelsOfReader: 300 * share,
}

/** The first users are owners, so that each operation has one of its own: some end their caller's login. */
export const owners = 300
const guests = 500
const groups = 100

export type LargeOrganization = {
  url: string
  drop(): Promise<void>
  authorization(user: number): string
  existing: Existing
  users: number[]
  channels: { id: number; name: string }[]
  groups: number[]
  /** The newest, at most as many as one request may name. */
  messages: number[]
}

/** Creates ten thousand people (fewer unless TEST_EFFORT=1), some of them guests, in hundreds of channels and a hundred groups. */
export async function largeOrganization(): Promise<LargeOrganization> {
  const { url, drop } = await newDatabase()
  const org = await seed(url, size)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await diversify(client, org)
    const ids = async (sql: string) => (await client.query(sql)).rows.map((row) => Number(row.id))
    const channels = (await client.query('SELECT id, name FROM channel ORDER BY id')).rows
    const found = {
      users: Array.from({ length: size.users }, (_, i) => org.firstUser + i),
      channels,
      groups: await ids('SELECT id FROM user_group WHERE NOT is_system_group ORDER BY id'),
      messages: await ids('SELECT id FROM message ORDER BY id DESC LIMIT 5000'),
    }
    const system = await ids("SELECT id FROM user_group WHERE name IN ('role:members', 'role:everyone')")
    return { url, drop, authorization: org.authorization, ...found, existing: existingIn(found, system) }
  } finally {
    await client.end()
  }
}

async function diversify(client: pg.Client, { firstUser }: Organization) {
  const permissions = `(SELECT jsonb_object_agg(name, (SELECT id FROM user_group WHERE name = 'role:everyone'))
    FROM unnest($1::text[]) AS name)`
  const statements: [sql: string, values: unknown[]][] = [
    ['UPDATE account SET role = 100 WHERE id >= $1 AND id < $1 + $2', [firstUser, owners]],
    ['UPDATE account SET role = 600 WHERE id >= $1', [firstUser + size.users - guests]],
    ['UPDATE channel SET is_private = true, history_public_to_subscribers = false WHERE id % 5 = 0', []],
    ['UPDATE channel SET is_default = true WHERE id % 7 = 1 AND NOT is_private', []],
    [
      `INSERT INTO user_group (realm_id, name, permissions)
       SELECT realm.id, 'group ' || n, ${permissions} FROM realm, generate_series(1, $2::integer) AS n`,
      [Object.keys(groupPermissions), groups],
    ],
    [
      // Everybody is in the first, and each in one of the others.
      `INSERT INTO group_member (realm_id, group_id, user_id)
       SELECT g.realm_id, g.id, a.id FROM user_group g JOIN account a ON a.id >= $1
       WHERE g.name = 'group 1' OR g.name = 'group ' || (2 + a.id % $2)`,
      [firstUser, groups - 1],
    ],
    ['VACUUM ANALYZE', []],
  ]
  for (const [sql, values] of statements) await client.query(sql, values)
}

type Found = Pick<LargeOrganization, 'users' | 'channels' | 'groups' | 'messages'>

/** The existing objects, by the names of parameters. */
function existingIn({ users, channels, groups, messages }: Found, system: number[]): Existing {
  const ids = channels.map(({ id }) => id)
  const names = channels.map(({ name }) => name)
  const words: [name: RegExp, numbers: number[], texts: string[]][] = [
    [/^(num_before|num_after)$/, [2_500], []],
    [/narrow/, [], ['is', 'dm']],
    [/message|msg_ids|anchor/, messages, ['newest']],
    [/email/, [], ['new@example.com']],
    [/emoji_name/, [], ['tada', 'smile']],
    [/emoji_code/, [], ['1f389']],
    [/user|principal|direct_members|^members$|sender|owner_id|^(add|delete|value)$/, users, names],
    [/subgroup|group_id/, groups, []],
    [/_group$|setting/, system, []],
    [/stream_id|channel_id|streams$/, ids, []],
    [/^to$/, users, names],
    [/stream_names|subscriptions|^stream$/, [], names],
    [/^op$/, [], ['add', 'remove', 'start', 'stop']],
    [/flag/, [], ['read', 'starred']],
    [/type$/, [1, 2], ['direct', 'stream']],
    [/topic/, [], ['topic 1', 'lunch']],
    [/policy|order|limit|seconds|days|role|level/, [1, 2, 3, 400], []],
  ]
  const nothing = { numbers: [], texts: [] }
  return (name) => {
    const [, numbers, texts] = words.find(([pattern]) => pattern.test(name)) ?? []
    return numbers && texts ? { numbers, texts } : nothing
  }
}
