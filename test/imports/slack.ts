import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SafeFetch } from '../../src/adapters/safe-fetch.ts'
import { addApiKey } from '../../src/features/bots/kernel/login/api-keys.ts'
import { serverActor } from '../../src/log/audit/actor.ts'
import { importSlack } from '../../src/setup/slack/import-slack.ts'
import { SlackExport } from '../../src/setup/slack/slack-export.ts'
import { newDirectory } from '../command-line.ts'
import { Person } from '../person.ts'
import type { TestServer } from '../test-server.ts'
import { zipOf } from './zip.ts'

// An export of Slack, made for a test.

/** Three times of messages, in order; the last one is on another day. */
export const [noon, later, nextDay] = ['1700049600.000100', '1700049700.000200', '1700136000.000300']

export function slackPerson(id: string, name: string, more: object = {}, ofProfile: object = {}) {
  const profile = { real_name: name, email: `${name.toLowerCase()}@example.com`, ...ofProfile }
  return { id, name: name.toLowerCase(), profile, ...more }
}

export function slackMessage(user: string, ts: string, text: string, more: object = {}) {
  return { type: 'message', user, ts, text, ...more }
}

const people = [
  slackPerson('U2', 'Ben', { is_admin: true, tz: 'Europe/Berlin' }),
  slackPerson('U1', 'Ann', { is_owner: true, is_primary_owner: true }),
  slackPerson('U3', 'Gus', { is_restricted: true }),
  slackPerson('U4', 'Gone', { deleted: true }),
  { id: 'U5', name: 'mute', profile: { real_name: 'Has|no*address' } },
  { id: 'U6', name: 'deploy', is_bot: true, profile: { real_name: 'Deploy', bot_id: 'B6' } },
]
const channels = [
  {
    id: 'C1',
    name: 'general',
    is_general: true,
    created: 1_600_000_000,
    creator: 'U1',
    members: ['U1', 'U2', 'U3'],
    purpose: { value: 'All of <@U1|ann> &amp; us' },
  },
  { id: 'C2', name: 'old', is_archived: true, members: ['U1'] },
]

/** People and channels of an export. */
export const basics = { 'users.json': people, 'channels.json': channels }

let imports = 0

/**
 * Imports an export of these files into a new organization. `as` gives one of its people. `pause`: what the import waits for when it
 * has begun.
 */
export async function importedFrom(
  server: TestServer,
  files: Record<string, unknown>,
  { fetch, name = 'Acme', pause }: { fetch?: SafeFetch; name?: string; pause?: () => Promise<unknown> } = {},
) {
  const subdomain = `slack${++imports}`
  const path = join(await newDirectory(), 'slack.zip')
  // Slack's names are in UTF-8 without saying so.
  await writeFile(path, zipOf(files, 0))
  const source = await SlackExport.open(path)
  const people = source.people.bind(source)
  if (pause) source.people = () => pause().then(people)
  const { app, site, port, host } = server.node
  const place = { name, subdomain, url: `http://${subdomain}.${host}`, site }
  const into = { ...place, actor: serverActor, files: server.adapters.files, fetch }
  const made = await importSlack(server.databaseUrl, source, into).finally(() => source.close())
  const log = (await app.realms.bySubdomain(subdomain))!
  const as = async (email: string) => {
    const { id, full_name: name } = log.state.userByEmail(email)!
    const key = await log.commit((change) => addApiKey(change, id, 'test'))
    return new Person({ port, host: `${subdomain}.${host}` }, { id, name, email, key })
  }
  return { made, log, as, ann: await as('ann@example.com') }
}
