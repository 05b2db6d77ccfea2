import pg from 'pg'
import { connect } from '../src/db/database.ts'
import { Databases } from '../src/db/databases.ts'
import { migrate } from '../src/db/migrate.ts'
import { hashPassword } from '../src/features/accounts/kernel/login/passwords.ts'
import { channelPermissions } from '../src/features/kernel/groups/permission-settings.ts'
import { emptyLookup } from '../src/markdown/lookup.ts'
import { render, renderedVersion } from '../src/markdown/render.ts'
import { createOrganization } from '../src/setup/create-organization.ts'
import { addHistory, type Frame, insertInBatches } from './history.ts'
import { texts } from './texts.ts'

/** The size of an organization. */
export type Size = {
  users: number
  channels: number
  subscriptionsPerUser: number
  smallChannel: number
  messages: number
  unread: number
  newcomers: number
  /** How many of the first channels the second user is in. */
  channelsOfReader: number
  /** Whether its messages all differ, as in years (history.ts), rather than being some over and over (texts.ts). */
  hasHistory?: true
}

/** The organization in which most is measured: many people. */
export const size: Size = {
  users: 10_000,
  channels: 1_000,
  subscriptionsPerUser: 10,
  smallChannel: 10,
  messages: 100_000,
  unread: 5_000,
  newcomers: 100,
  channelsOfReader: 10,
}

/** An organization with years of history. */
export const historySize: Size = {
  users: 2_000,
  channels: 200,
  subscriptionsPerUser: 20,
  smallChannel: 10,
  messages: 1_000_000,
  unread: 50_000,
  newcomers: 10,
  channelsOfReader: 200,
  hasHistory: true,
}

/** Where to find its parts. Users are counted from 0; every one has a key. */
export type Organization = {
  realmId: number
  /** A channel with `size.smallChannel` subscribers, the first users. */
  small: number
  /** A channel that everybody is subscribed to. */
  large: number
  /** The id of the first user; those of the others follow. */
  firstUser: number
  authorization(user: number): string
}

/**
 * Puts an organization into a database, which must have no other of this subdomain: the first user is an administrator who may create users; the first two channels are the
 * small and the large one; of the others everybody is in some; one message in ten went to the large channel. Of the
 * newest messages (`size.unread`) nobody has read any, and the last users (`size.newcomers`) have read nothing at all.
 */
export async function seed(url: string, size: Size, subdomain = ''): Promise<Organization> {
  await migrate(url)
  const databases = new Databases(connect(url, 2))
  const { realmId } = await createOrganization(databases, {
    channels: [],
    name: 'Benchmark',
    subdomain,
    ownerEmail: 'owner@example.com',
    ownerName: 'Owner',
    passwordHash: await hashPassword('not for logging in'),
    now,
  })
  await databases.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN')
    const firstUser = await addUsers(client, size, realmId)
    const firstChannel = await addChannels(client, size, realmId, firstUser)
    await addSubscriptions(client, size, realmId, firstUser, firstChannel)
    const firstRecipient = await recipientOf(client, realmId, firstChannel)
    await addReadState(client, size, realmId, firstUser)
    await client.query('UPDATE realm_head SET last_message_id = $2 WHERE realm_id = $1', [
      realmId,
      size.messages,
    ])
    await client.query('COMMIT')
    const frame = frameOf(size, realmId, firstUser, firstRecipient)
    await (size.hasHistory ? addHistory(url, frame) : addMessages(url, frame))
    // Servers get copies of this database, which they would take for restored backups: they would skip a million ids.
    await client.query('DELETE FROM log_place')
    await client.query('VACUUM ANALYZE')
    return { realmId, small: firstChannel, large: firstChannel + 1, firstUser, authorization }
  } finally {
    await client.end()
  }
}

const now = Math.floor(Date.now() / 1000)

function frameOf(size: Size, realmId: number, firstUser: number, firstRecipient: number): Frame {
  return {
    realmId,
    recipients: { first: firstRecipient, count: size.channels },
    senders: { first: firstUser, count: size.users },
    messages: size.messages,
    now,
  }
}

function authorization(user: number) {
  return `Basic ${Buffer.from(`user${user}@example.com:${keyOf(user)}`).toString('base64')}`
}

function keyOf(user: number) {
  return `user${String(user).padStart(28, '0')}`
}

async function addUsers(client: pg.Client, size: Size, realmId: number): Promise<number> {
  const users = Array.from({ length: size.users }, (_, n) => ({
    email: `user${n}@example.com`,
    name: nameOf(n),
  }))
  await client.query(
    `INSERT INTO account (realm_id, delivery_email, full_name, role, can_create_users, created_at)
     SELECT $1, email, name, CASE email WHEN 'user0@example.com' THEN 200 ELSE 400 END, email = 'user0@example.com', $2
     FROM json_to_recordset($3::json) AS x(email text, name text)`,
    [realmId, now, JSON.stringify(users)],
  )
  const first = await firstOf(client, realmId, 'account', "delivery_email = 'user0@example.com'", size.users)
  await client.query(
    `INSERT INTO api_key (realm_id, user_id, client, hash, created_at)
     SELECT $1, $2 + n, 'bench', encode(sha256(('user' || lpad(n::text, 28, '0'))::bytea), 'hex'), $3
     FROM generate_series(0, $4::integer - 1) AS n`,
    [realmId, first, now, size.users],
  )
  return first
}

const syllables = [
  'An',
  'be',
  'ri',
  'lo',
  'Ka',
  'mi',
  'To',
  'sa',
  'Ve',
  'nu',
  'da',
  'El',
  'jo',
  'Pe',
  'ro',
  'Si',
  'ta',
  'Um',
  'wi',
  'Xe',
  'ya',
  'Zo',
]

function nameOf(n: number) {
  const syllable = (k: number) => syllables[Math.floor(n / syllables.length ** k) % syllables.length]!
  const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()
  return `${capital(syllable(0) + syllable(1))} ${capital(`${syllable(2)}${syllable(0)}s`)}`
}

async function addChannels(client: pg.Client, size: Size, realmId: number, creator: number): Promise<number> {
  const { rows } = await client.query(
    'SELECT id, name FROM user_group WHERE realm_id = $1 AND is_system_group',
    [realmId],
  )
  const groups = new Map(rows.map((row) => [row.name, row.id]))
  const value = (name: string) =>
    name === 'channel_creator' ? { direct_members: [creator], direct_subgroups: [] } : groups.get(name)
  const permissions = Object.entries(channelPermissions).map(([name, setting]) => [
    name,
    value(setting.default),
  ])
  await client.query(
    `WITH made AS (
       INSERT INTO channel (realm_id, id, recipient_id, name, description, rendered_description, creator_id, permissions, created_at)
       SELECT $1, 1 + n, 1 + n, CASE n WHEN 0 THEN 'small' WHEN 1 THEN 'large' ELSE 'project ' || n END,
         'Everything about project ' || n, '<p>Everything about project ' || n || '</p>', $2, $3, $4
       FROM generate_series(0, $5::integer - 1) AS n RETURNING id
     )
     INSERT INTO recipient (realm_id, id, channel_id) SELECT $1, id, id FROM made`,
    [realmId, creator, JSON.stringify(Object.fromEntries(permissions)), now, size.channels],
  )
  for (const table of ['channel', 'recipient']) {
    await client.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`)
  }
  return firstOf(client, realmId, 'channel', "name = 'small'", size.channels)
}

// Spread by multiplying with primes: even, and the same every time.
async function addSubscriptions(
  client: pg.Client,
  size: Size,
  realmId: number,
  firstUser: number,
  firstChannel: number,
) {
  await client.query(
    `INSERT INTO subscription (realm_id, user_id, channel_id, received, color)
     SELECT DISTINCT $1::integer, $2::integer + n, $3::integer + channel, '[[1,null]]'::jsonb, '#76ce90' FROM (
       SELECT n, 1 AS channel FROM generate_series(0, $4::integer - 1) AS n
       UNION ALL SELECT n, 0 FROM generate_series(0, $5::integer - 1) AS n
       UNION ALL SELECT n, 2 + (n * 7919 + k * 104729) % ($6::integer - 2)
       FROM generate_series(0, $4::integer - 1) AS n, generate_series(1, $7::integer) AS k
       UNION ALL SELECT 1, channel FROM generate_series(0, $8::integer - 1) AS channel) AS x`,
    [
      realmId,
      firstUser,
      firstChannel,
      size.users,
      size.smallChannel,
      size.channels,
      size.subscriptionsPerUser,
      size.channelsOfReader,
    ],
  )
}

function addMessages(url: string, { realmId, recipients, senders, messages, now }: Frame) {
  const rendered = texts.map((text) => render(text, emptyLookup).html)
  const batch = 50_000
  return insertInBatches(url, { messages, batch }, (client, first) =>
    client.query(
      `INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client, sent_at)
       SELECT $1, n, $2::integer + CASE WHEN n % 10 = 0 THEN 1 ELSE 2 + n * 31::bigint % ($3::integer - 2) END, $4::integer + n::bigint * 7919 % $5::integer,
         'topic ' || n / 10 % 40, ($6::text[])[1 + n % $7::integer], ($8::text[])[1 + n % $7::integer], $9, 'bench', $10::bigint - ($11::bigint - n) * 10
       FROM generate_series($12::integer, $13::integer) AS n`,
      [
        ...[realmId, recipients.first, recipients.count, senders.first, senders.count, texts, texts.length],
        ...[rendered, renderedVersion, now, messages, first, Math.min(first + batch - 1, messages)],
      ],
    ),
  )
}

async function recipientOf(client: pg.Client, realmId: number, channel: number): Promise<number> {
  const { rows } = await client.query('SELECT recipient_id FROM channel WHERE realm_id = $1 AND id = $2', [
    realmId,
    channel,
  ])
  return rows[0].recipient_id
}

async function addReadState(client: pg.Client, size: Size, realmId: number, firstUser: number) {
  await client.query(
    `INSERT INTO read_state (realm_id, user_id, recipient_id, read)
     SELECT realm_id, user_id, recipient_id, int8multirange(int8range(1, $3))
     FROM subscription JOIN channel c USING (realm_id) WHERE c.id = channel_id AND realm_id = $1 AND user_id < $2`,
    [realmId, firstUser + size.users - size.newcomers, size.messages - size.unread],
  )
}

/** The id of the first of `count` rows, which must have got their ids in order. */
async function firstOf(
  client: pg.Client,
  realmId: number,
  table: string,
  condition: string,
  count: number,
): Promise<number> {
  const { rows } = await client.query(
    `SELECT id, (SELECT max(id) FROM ${table} WHERE realm_id = $1) AS last FROM ${table}
     WHERE realm_id = $1 AND ${condition}`,
    [realmId],
  )
  const { id, last } = rows[0]
  if (last - id !== count - 1) throw new Error(`the ids of ${table} are not in order`)
  return id
}
