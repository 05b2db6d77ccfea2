import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { adapterLimits } from '../src/adapters/limits.ts'
import { botLimits } from '../src/features/bots/kernel/bots/limits.ts'
import { folderLimits } from '../src/features/channels/channel-folders/limits.ts'
import { defaultGroupLimits } from '../src/features/channels/default-channel-groups/limits.ts'
import { navigationLimits } from '../src/features/clients/kernel/navigation/limits.ts'
import { channelLimits } from '../src/features/kernel/channels/limits.ts'
import { messageLimits } from '../src/features/kernel/messages/limits.ts'
import { messagingLimits } from '../src/features/messages/kernel/messages/limits.ts'
import { uploadLimits } from '../src/features/messages/uploads/limits.ts'
import { domainLimits } from '../src/features/organization/domains/limits.ts'
import { emojiLimits } from '../src/features/organization/emoji/limits.ts'
import { groupLimits } from '../src/features/people/groups/limits.ts'
import { profileFieldLimits } from '../src/features/people/kernel/profile-fields/limits.ts'
import { libLimits } from '../src/lib/limits.ts'
import type { Answer } from './http.ts'
import type { Organization } from './organization.ts'
import { templateUrl } from './runner/database.ts'
import { sharedServer } from './test-server.ts'

const { organization } = sharedServer()

/** PostgreSQL refuses a row of an index that is longer, and a statement with it. */
const longestRow = 2_704
/** The row's head, and where each column begins. */
const overhead = 24

const characters = (count: number) => 4 * count
const hash = 64
/** A word from the code. */
const word = 40

/** The most bytes of each column that is in an index and has no fixed size. */
const bytesOf: Record<string, number> = {
  'account.lower(delivery_email)': characters(libLimits.emailLength),
  'allowed_domain.domain': characters(domainLimits.domainLength),
  'api_key.hash': hash,
  'attachment.path': characters(uploadLimits.fileNameLength) + 2 * hash,
  'audit_entry.kind': word,
  'audit_entry.object': word,
  'bot_storage.key': characters(botLimits.botStorageKeyLength),
  'channel.lower(name)': characters(channelLimits.channelNameLength),
  'channel_folder.lower(name)': characters(folderLimits.channelFolderNameLength),
  'custom_emoji.name': characters(emojiLimits.customEmojiNameLength),
  'default_channel_group.name': characters(defaultGroupLimits.defaultChannelGroupNameLength),
  'idempotency_key.key': hash,
  // Set by the server's settings.
  'identity.issuer': 1_000,
  'identity.subject': characters(adapterLimits.signOnSubjectLength),
  'invitation.key_hash': hash,
  'invitation.lower(email)': characters(libLimits.emailLength),
  'job.kind': word,
  'login_attempt.name': characters(libLimits.emailLength),
  'mail_link.hash': hash,
  'mail_link.kind': word,
  'message.lower(topic)': characters(messageLimits.topicLength),
  'message_flag.flag': word,
  'migration.name': 200,
  'navigation_view.fragment': characters(navigationLimits.navigationFragmentLength),
  'profile_field.name': characters(profileFieldLimits.profileFieldNameLength),
  'reaction.emoji_code': characters(emojiLimits.customEmojiNameLength),
  'reaction.reaction_type': word,
  'realm.subdomain': 63,
  'recipient.user_ids': 24 + 4 * (messagingLimits.directMessagePeople + 1),
  'resumable_upload.id': hash,
  'session.hash': hash,
  'sign_on.hash': hash,
  'sign_up.key_hash': hash,
  'unrecorded_file.path': characters(uploadLimits.fileNameLength) + 2 * hash,
  'user_group.lower(name)': characters(groupLimits.groupNameLength),
  'user_topic.lower(topic)': characters(messageLimits.topicLength),
  'zoom_departure.hash': hash,
}

describe('the rows of every index', () => {
  test('are made of columns whose longest value is known', async () => {
    const known = (await indexColumns()).filter(({ size }) => size < 0).map(({ column }) => column)
    expect([...new Set(known)].sort()).toEqual(Object.keys(bytesOf).sort())
  })

  test('fit into it', async () => {
    const sizes = new Map<string, number>()
    for (const { index, column, size } of await indexColumns()) {
      const bytes = size < 0 ? bytesOf[column]! : size
      sizes.set(index, (sizes.get(index) ?? overhead) + bytes)
    }
    expect([...sizes].filter(([, bytes]) => bytes > longestRow)).toEqual([])
  })
})

// Without any pattern, as PostgreSQL would compress it; each character has four bytes.
const text = (length: number) =>
  Array.from({ length }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 40_000))).join('')

type Request = (org: Organization, length: number) => Promise<Answer>

/** Requests that store users' texts in an index, with the longest valid text. */
const requests: [name: string, longest: number, ask: Request][] = [
  [
    'a key in PUT /bot_storage',
    botLimits.botStorageKeyLength,
    (org, length) => org.owner.put('/bot_storage', { storage: { [text(length)]: 'x' } }),
  ],
  [
    'a fragment in POST /navigation_views',
    navigationLimits.navigationFragmentLength,
    (org, length) =>
      org.owner.post('/navigation_views', { fragment: text(length), is_pinned: true, name: 'x' }),
  ],
  [
    'a name in POST /user_groups/create',
    groupLimits.groupNameLength,
    (org, length) =>
      org.owner.post('/user_groups/create', { name: text(length), description: '', members: [] }),
  ],
  [
    'a name in POST /users/me/subscriptions',
    channelLimits.channelNameLength,
    (org, length) => org.owner.post('/users/me/subscriptions', { subscriptions: [{ name: text(length) }] }),
  ],
  [
    'a name in POST /channel_folders/create',
    folderLimits.channelFolderNameLength,
    (org, length) => org.owner.post('/channel_folders/create', { name: text(length), description: '' }),
  ],
  [
    'a name in POST /default_stream_groups/create',
    defaultGroupLimits.defaultChannelGroupNameLength,
    (org, length) =>
      org.owner.post('/default_stream_groups/create', {
        group_name: text(length),
        description: '',
        stream_names: [],
      }),
  ],
  [
    'a name in POST /realm/profile_fields',
    profileFieldLimits.profileFieldNameLength,
    (org, length) => org.owner.post('/realm/profile_fields', { name: text(length), field_type: 1 }),
  ],
  [
    'people in POST /messages',
    messagingLimits.directMessagePeople,
    async (org, length) =>
      org.owner.post('/messages', { type: 'direct', to: await crowd(org, length), content: 'hello' }),
  ],
]

test.each(requests)('%s can be as long as is declared, and no longer', async (_, longest, ask) => {
  const org = await organization()
  const fits = await ask(org, longest)
  expect(fits.body).toMatchObject({ result: 'success' })
  for (const length of [longest + 1, 4 * longest]) {
    const { status, body } = await ask(org, length)
    expect(body).toMatchObject({
      result: 'error',
      msg: expect.stringMatching(/too (long|many)|cannot exceed/),
    })
    expect(status).toBe(400)
  }
})

test.each([
  ['POST /scheduled_messages', (to: number[]) => ({ type: 'direct', to, content: 'x', ...tomorrow })],
  ['POST /typing', (to: number[]) => ({ op: 'start', to })],
  ['POST /drafts', (to: number[]) => ({ drafts: [{ type: 'private', to, topic: '', content: 'x' }] })],
])('%s is for as many people as a message, and no more', async (route, params) => {
  const org = await organization()
  const [method, path] = route.split(' ') as [string, string]
  const most = await crowd(org, messagingLimits.directMessagePeople)
  expect((await org.owner.ask(method, path, params(most))).body).toMatchObject({ result: 'success' })
  const more = await crowd(org, messagingLimits.directMessagePeople + 1)
  const { status, body } = await org.owner.ask(method, path, params(more))
  expect(body.msg).toMatch(/to"?\]? has too many values \(limit: 500\)/)
  expect(status).toBe(400)
})

const tomorrow = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400 }

/** Returns the ids of this many users, who may exist already. */
async function crowd(org: Organization, count: number): Promise<number[]> {
  const known = [...org.state.users.values()].filter(({ full_name }) => full_name.startsWith('Extra'))
  const more = Array.from({ length: Math.max(0, count - known.length) }, (_, i) => known.length + i)
  const added = await org.log.commit((change) =>
    change.insertAll(
      'account',
      more.map((n) => ({
        delivery_email: `extra${n}@example.com`,
        full_name: `Extra ${n}`,
        role: 400,
        created_at: change.now,
      })),
    ),
  )
  return [...known, ...added].map(({ id }) => id).slice(0, count)
}

type IndexColumn = { index: string; column: string; size: number }

/** The columns of all B-trees, with their sizes in bytes; -1 where values differ in size. */
async function indexColumns(): Promise<IndexColumn[]> {
  const client = new pg.Client({ connectionString: templateUrl() })
  await client.connect()
  try {
    const { rows } = await client.query<IndexColumn>(`
      SELECT i.relname AS index, t.relname || '.' || pg_get_indexdef(x.indexrelid, a.attnum, true) AS column,
        y.typlen AS size
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
        JOIN pg_am m ON m.oid = i.relam AND m.amname = 'btree' -- the index of words leaves out long ones
        JOIN pg_attribute a ON a.attrelid = i.oid JOIN pg_type y ON y.oid = a.atttypid
      WHERE t.relnamespace = 'public'::regnamespace`)
    return rows
  } finally {
    await client.end()
  }
}
