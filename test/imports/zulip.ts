import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { addApiKey } from '../../src/features/bots/kernel/login/api-keys.ts'
import { serverActor } from '../../src/log/audit/actor.ts'
import { importZulip } from '../../src/setup/zulip/import-zulip.ts'
import { ZulipExport } from '../../src/setup/zulip/zulip-export.ts'
import { newDirectory } from '../command-line.ts'
import { Person } from '../person.ts'
import type { TestServer } from '../test-server.ts'

// An export of Zulip, made for a test.

/** A time of the export, in seconds with fractions as it has them. */
export const noon = 1_700_049_600.25

/** The people of the export, by name. */
export const ids = { ann: 10, ben: 11, gus: 12, gone: 13, idle: 14, deploy: 15, dummy: 16, notifier: 3 }
/** Its channels. */
export const channels = { tea: 21, plans: 22, secret: 23, old: 24 }
/** Its groups: the system groups, one with a name, and one that only holds a permission. */
export const groups = { everyone: 1, members: 2, admins: 3, nobody: 4, crew: 5, posters: 6 }

/** The recipients of the export: of channels, of people, and of a group of them. */
export const recipients = { tea: 1, plans: 2, secret: 3, old: 4, ann: 110, ben: 111, gus: 112, three: 201 }

export function zulipUser(id: number, name: string, more: object = {}) {
  const email = `${name.toLowerCase()}@example.com`
  const role = { role: 400, is_active: true, is_bot: false, bot_type: null, date_joined: noon - 1000 }
  return {
    id,
    email: `user${id}@zulip.example.com`,
    delivery_email: email,
    full_name: name,
    ...role,
    ...more,
  }
}

export function zulipMessage(
  id: number,
  sender: number,
  recipient: number,
  content: string,
  more: object = {},
) {
  const rest = {
    subject: 'news',
    date_sent: noon + id,
    sending_client: 1,
    edit_history: null,
    last_edit_time: null,
  }
  return { id, sender, recipient, content, rendered_content: '<b>not ours</b>', ...rest, ...more }
}

/** Returns a user's rows of messages, from flags by message, as bits (1 is read). */
export function zulipFlags(user_profile: number, flags: Record<number, number>) {
  return Object.entries(flags).map(([message, flags_mask]) => ({
    user_profile,
    message: Number(message),
    flags_mask,
  }))
}

let subscriptions = 0
export function zulipSubscription(user_profile: number, recipient: number, more: object = {}) {
  const rest = { active: true, is_user_active: true, color: '#76CE90', is_muted: false, pin_to_top: false }
  return { id: ++subscriptions, user_profile, recipient, ...rest, ...more }
}

const users = [
  zulipUser(ids.ben, 'Ben', { timezone: 'Europe/Berlin' }),
  zulipUser(ids.ann, 'Ann', { role: 100 }),
  zulipUser(ids.gus, 'Gus', { role: 600 }),
  zulipUser(ids.gone, 'Gone', { is_active: false, role: 200 }),
  zulipUser(ids.idle, 'Idle', { long_term_idle: true, last_active_message_id: 1001 }),
  zulipUser(ids.deploy, 'Deploy', { is_bot: true, bot_type: 1, bot_owner: ids.ben }),
]

const streams = [
  { id: channels.tea, name: 'tea', description: 'All *of us*', invite_only: false, creator: ids.ann },
  { id: channels.plans, name: 'plans', invite_only: true, history_public_to_subscribers: true },
  { id: channels.secret, name: 'secret', invite_only: true, history_public_to_subscribers: false },
  { id: channels.old, name: '!DEACTIVATED:old', deactivated: true, date_created: 1_600_000_000.5 },
]

/** The organization of the export. */
export const zulipRealm = {
  id: 2,
  name: 'Acme',
  string_id: 'acme',
  description: 'We *make* things',
  date_created: noon - 9000,
}

/** The tables of an export with people, channels and groups. */
export const zulipBasics: Record<string, object[]> = {
  zerver_realm: [zulipRealm],
  zerver_userprofile: users,
  zerver_userprofile_mirrordummy: [
    zulipUser(ids.dummy, 'Dummy', { is_mirror_dummy: true, is_active: false }),
  ],
  zerver_userprofile_crossrealm: [
    { id: ids.notifier, email: 'notification-bot@zulip.com', recipient_id: 103 },
  ],
  zerver_client: [{ id: 1, name: 'website' }],
  zerver_stream: streams,
  zerver_defaultstream: [{ id: 1, realm: 2, stream: channels.tea }],
  zerver_recipient: [
    { id: recipients.tea, type: 2, type_id: channels.tea },
    { id: recipients.plans, type: 2, type_id: channels.plans },
    { id: recipients.secret, type: 2, type_id: channels.secret },
    { id: recipients.old, type: 2, type_id: channels.old },
    { id: recipients.ann, type: 1, type_id: ids.ann },
    { id: recipients.ben, type: 1, type_id: ids.ben },
    { id: recipients.gus, type: 1, type_id: ids.gus },
    { id: recipients.three, type: 3, type_id: 1 },
  ],
  zerver_subscription: [
    zulipSubscription(ids.ann, recipients.tea),
    zulipSubscription(ids.ben, recipients.tea, {
      pin_to_top: true,
      is_muted: true,
      push_notifications: true,
    }),
    zulipSubscription(ids.gus, recipients.tea),
    zulipSubscription(ids.idle, recipients.tea),
    zulipSubscription(ids.ann, recipients.plans),
    zulipSubscription(ids.ann, recipients.secret),
    zulipSubscription(ids.ben, recipients.secret),
    zulipSubscription(ids.idle, recipients.secret),
    zulipSubscription(ids.ann, recipients.three),
    zulipSubscription(ids.ben, recipients.three),
    zulipSubscription(ids.gus, recipients.three),
  ],
  zerver_usergroup: Object.values(groups).map((id) => ({ id, realm: 2 })),
  zerver_namedusergroup: [
    { usergroup_ptr: groups.everyone, name: 'role:everyone', is_system_group: true },
    { usergroup_ptr: groups.members, name: 'role:members', is_system_group: true },
    { usergroup_ptr: groups.admins, name: 'role:administrators', is_system_group: true },
    { usergroup_ptr: groups.nobody, name: 'role:nobody', is_system_group: true },
    {
      usergroup_ptr: groups.crew,
      name: 'crew',
      description: 'Who sails',
      creator: ids.ben,
      can_manage_group: groups.posters,
    },
  ],
  zerver_usergroupmembership: [
    { id: 1, user_group: groups.crew, user_profile: ids.ben },
    { id: 2, user_group: groups.posters, user_profile: ids.gus },
  ],
  zerver_groupgroupmembership: [{ id: 1, supergroup: groups.posters, subgroup: groups.admins }],
}

/** A file of messages, and users' rows of them. Without these rows, no user has received any of the messages. */
type MessageFile = {
  zerver_message: object[]
  zerver_usermessage?: object[]
  zerver_reaction?: object[]
}

/** `messages`: the files of messages. `files`: other files by path, as text, as bytes, or as JSON. */
type Export = {
  tables?: Record<string, unknown>
  messages?: MessageFile[]
  files?: Record<string, unknown>
}

/** The files of an export. */
export function zulipFiles({ tables = {}, messages = [], files = {} }: Export): Record<string, unknown> {
  const numbered = messages.map((file, i) => [
    `messages-${String(i + 1).padStart(6, '0')}.json`,
    { zerver_usermessage: [], ...file },
  ])
  return { 'realm.json': { ...zulipBasics, ...tables }, ...Object.fromEntries(numbered), ...files }
}

function bytesOf(content: unknown): Uint8Array | string {
  return content instanceof Uint8Array || typeof content === 'string' ? content : JSON.stringify(content)
}

/** Writes files into a folder of their own; returns its path. */
export async function zulipFolder(files: Record<string, unknown>): Promise<string> {
  const folder = await newDirectory()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytesOf(content))
  }
  return folder
}

/** Writes files as the .tar.gz file that Zulip makes, with further entries as they are; returns its path. */
export async function zulipTar(
  files: Record<string, unknown>,
  more: Parameters<Pack['entry']>[0][] = [],
): Promise<string> {
  const file = join(await newDirectory(), 'zulip-export.tar.gz')
  const tar = pack()
  tar.entry({ name: 'zulip-export-x/', type: 'directory' })
  for (const [path, content] of Object.entries(files))
    tar.entry({ name: `zulip-export-x/${path}` }, bytesOf(content))
  for (const header of more) tar.entry(header, '')
  tar.finalize()
  await pipeline(tar, createGzip(), createWriteStream(file))
  return file
}

type Options = { from?: URL; report?: (line: string) => void; clock?: () => number }

let imports = 0

/** Imports an export into a new organization. `as` gives one of its people, by name or address. */
export function importedZulip(server: TestServer, content: Export, options: Options = {}) {
  return importedZulipFrom(server, zulipFiles(content), options)
}

/** Imports the files of an export into a new organization. */
export async function importedZulipFrom(
  server: TestServer,
  files: Record<string, unknown>,
  { clock, ...options }: Options = {},
) {
  const subdomain = `zulip${++imports}`
  const source = await ZulipExport.open(await zulipFolder(files))
  const { app, port, host } = server.node
  const site = { ...server.node.site, ...(clock && { clock }) }
  const url = `http://${subdomain}.${host}`
  const into = {
    name: 'Acme',
    subdomain,
    url,
    site,
    actor: serverActor,
    files: server.adapters.files,
    ...options,
  }
  const made = await importZulip(server.databaseUrl, source, into)
  const log = (await app.realms.bySubdomain(subdomain))!
  const as = async (name: string) => {
    const email = name.includes('@') ? name : `${name}@example.com`
    const user = log.state.userByEmail(email)!
    const key = await log.commit((change) => addApiKey(change, user.id, 'test'))
    return new Person(
      { port, host: `${subdomain}.${host}` },
      { id: user.id, name: user.full_name, email, key },
    )
  }
  return { made, log, as }
}

/** The narrow of a channel. */
export function inZulipChannel(id: number) {
  return [{ operator: 'channel', operand: id }]
}
