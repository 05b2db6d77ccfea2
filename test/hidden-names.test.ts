import { describe, expect, test } from 'vitest'
import { type Answer, encode } from './http.ts'
import type { Person } from './person.ts'
import { filledPath, type Operation, operations } from './random/operations.ts'
import { type Declared, type Likely, rightRequests } from './random/wild-values.ts'
import { tries } from './runner/effort.ts'
import { sharedServer } from './test-server.ts'

// No response, least of all an error, reveals the name of an object whose id its caller has guessed: every operation is
// tested.

const { organization } = sharedServer()
const concurrency = 6

/**
 * Names of objects that the callers must not know of; no request contains them. The person is hidden from guests only.
 */
const hidden = ['zanzibar', 'yucatan', 'quagga', 'xylophone']
const hiddenFromGuests = [...hidden, 'wombat']

type Setting = { caller: Person; likely: Likely }

const callers = {
  async member() {
    const { org, likelyFor } = await organizationWithSecrets()
    const caller = await org.person({ name: 'Caller' })
    return { caller, likely: await likelyFor(caller) }
  },
  async guest() {
    const { org, likelyFor } = await organizationWithSecrets()
    const caller = await org.person({ name: 'Caller', role: 'guest' })
    return { caller, likely: await likelyFor(caller) }
  },
  async bot() {
    const { org, likelyFor } = await organizationWithSecrets()
    const caller = await org.bot(await org.person({ name: 'Master' }))
    return { caller, likely: await likelyFor(caller) }
  },
}

describe.each(Object.entries(callers))('to a %s', (role, settle: () => Promise<Setting>) => {
  const secrets = role === 'guest' ? hiddenFromGuests : hidden

  test('no answer names what is hidden', async () => {
    let setting = await settle()
    for (const operation of operations()) {
      const requests = requestsFor(operation, setting.likely)
      for (let i = 0; i < requests.length; i += concurrency) {
        const some = requests.slice(i, i + concurrency)
        const answers = await Promise.all(some.map((sent) => ask(setting.caller, operation, sent)))
        for (const [k, answer] of answers.entries()) expectNothingNamed(operation, some[k]!, answer, secrets)
        // Some operations lock out their caller.
        if (answers.some(({ status }) => status === 401)) setting = await settle()
      }
    }
  }, 600_000)
})

/** Creates private channels, of which one is archived, a topic, and a user who is hidden from guests. */
async function organizationWithSecrets() {
  const org = await organization()
  const { owner } = org
  const wombat = await org.person({ name: 'Wombat Person', email: 'wombat@example.com' })
  const channels = [
    await org.channel({ name: 'Zanzibar', subscribers: [owner, wombat], isPrivate: true }),
    await org.channel({ name: 'Yucatan', subscribers: [owner], isPrivate: true }),
  ]
  const say = async (params: object) =>
    (await owner.post('/messages', { ...params, content: 'xylophone' })).body.id
  const messages = [
    await say({ type: 'channel', to: channels[0]!.id, topic: 'quagga' }),
    await say({ type: 'direct', to: [wombat.id] }),
  ]
  await owner.delete(`/streams/${channels[1]!.id}`)
  await owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const likelyFor = async (caller: Person): Promise<Likely> => {
    const own = await org.channel({ name: 'notes', subscribers: [owner, caller] })
    const { id } = (
      await owner.post('/messages', { type: 'channel', to: own.id, topic: 'lunch', content: 'x' })
    ).body
    // Objects that only guests must not know of are hidden from guests only.
    const people = (await caller.get('/users/me')).body.is_guest
      ? [wombat.id, caller.id]
      : [caller.id, owner.id]
    const words: [RegExp, (string | number)[]][] = [
      [/^(last_event_id|num_before|num_after)$/, [0, 1, 5]],
      [/narrow/, ['channel', 'is', 'dm', `${channels[0]!.id}`]],
      [/message|anchor|msg_ids/, [...messages, id]],
      [/user|principal|member|sender|direct_members/, people],
      [/group|setting/, [org.group('role:everyone'), org.group('role:nobody')]],
      [/^to$/, [...channels.map(({ id }) => id), own.id, wombat.id]],
      [/stream|channel|subscriptions|delete|^name$/, [...channels.map(({ id }) => id), own.id]],
      [/^op$/, ['add', 'remove', 'start', 'stop']],
      [/flag/, ['read', 'starred', 'collapsed']],
      [/type/, ['stream', 'direct', 'private', 'channel']],
      [/operator/, ['channel', 'dm', 'sender', 'id', 'with', 'dm-including']],
      [/operand/, [channels[0]!.id, `${channels[0]!.id}`, wombat.id, messages[0], `${messages[0]}`]],
      [/topic|subject/, ['lunch']],
      [/content|description|status/, [`#**${channels[0]!.id}** @_**|${wombat.id}** words`]],
      [/timestamp/, [3_000_000_000]],
      [/emoji/, ['tada']],
    ]
    return (name) => words.find(([pattern]) => pattern.test(name))?.[1] ?? []
  }
  return { org, likelyFor }
}

/**
 * Some requests as declared, and some with every parameter that may name a hidden object, and no other optional one.
 */
function requestsFor({ declared }: Operation, likely: Likely) {
  const isNaming = ({ name }: Declared) => likely(name).length > 0
  if (!declared.some(isNaming)) return rightRequests(declared, likely, 2, 7)
  const naming = declared
    .filter((one) => !aliases.includes(one.name) && (one.isRequired || isNaming(one)))
    .map((one) => ({ ...one, isRequired: true }))
  return [...rightRequests(declared, likely, tries(8), 7), ...rightRequests(naming, likely, tries(24), 7)]
}

/** Other names of parameters: a request must not have both. */
const aliases = ['subject', 'widget_content', 'stream', 'streams']

function ask(caller: Person, operation: Operation, sent: Record<string, string>): Promise<Answer> {
  const { method, declared, isRoot } = operation
  const inPath = new Set(declared.filter((param) => param.inPath).map(({ name }) => name))
  const fields = Object.fromEntries(Object.entries(sent).filter(([name]) => !inPath.has(name)))
  if (method === 'GET') fields.dont_block = 'true' // no request here waits for events
  const filled = filledPath(operation, sent)
  if (!isRoot) return caller.ask(method, filled, fields)
  if (method === 'GET') return caller.raw({ method, path: `${filled}?${encode(fields)}` })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return caller.raw({ method, path: filled, headers, body: encode(fields) })
}

function expectNothingNamed(
  { method, path }: Operation,
  sent: Record<string, string>,
  { text }: Answer,
  secrets: string[],
) {
  const answer = text.toLowerCase()
  const named = secrets.filter((name) => answer.includes(name))
  expect(named, `${method} ${path} ${JSON.stringify(sent).slice(0, 500)}\n${text.slice(0, 500)}\n`).toEqual(
    [],
  )
}
