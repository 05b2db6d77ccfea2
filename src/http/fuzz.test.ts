import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, encode } from '../../test/http.ts'
import type { Person } from '../../test/person.ts'
import { png } from '../../test/pictures.ts'
import { oddTexts, oddTextsOneByOne, plainText, valuesWithText } from '../../test/random/odd-values.ts'
import { filledPath, type Operation, operations, successSchema } from '../../test/random/operations.ts'
import { type Likely, rightRequests, wildValues } from '../../test/random/wild-values.ts'
import { effort } from '../../test/runner/effort.ts'
import { testServer } from '../../test/test-server.ts'
import { apiPrefix } from './server.ts'

// Every operation returns a proper response to any request: this reads the server's own description of them.

const { organization } = testServer()
/** One in this many of the possible requests is sent; TEST_EFFORT=4 sends all of them. */
const oneIn = Math.max(1, Math.round(4 / effort))
/** Chooses these requests: the same seed sends the same ones. */
const seed = Number(process.env.FUZZ_SEED ?? 0)
const rightPerOperation = 50
const concurrency = 6

type Sent = Record<string, string>

let caller: Person
let likely: Likely
/** Whether no operation has changed the organization yet. */
let isUntouched = false

const reads = operations().filter(({ method }) => method === 'GET')
const changes = operations().filter(({ method }) => method !== 'GET')
/** Operations that read share an organization, so they come first. */
const inOrder = [...reads, ...changes]

describe.each(inOrder)(`$method $path (TEST_EFFORT=${effort} FUZZ_SEED=${seed})`, (operation) => {
  const { declared, takesFiles } = operation
  let plain: Sent

  // The tests of an operation that changes something share an organization, and the requests that change it most come last.
  beforeAll(async () => {
    if (!isUntouched) await settle()
    isUntouched = operation.method === 'GET'
    plain = await requestThatWorks(operation)
  })

  test('responds to odd characters in each of its texts, and their results can be read', async () => {
    for (const param of declared) {
      const withText = (text: string) =>
        valuesWithText(param, likely, text).map((value) => ({ ...plain, [param.name]: value }))
      const usual = await sendAll(operation, withText(plainText))
      const all = await sendAll(operation, oddTexts.flatMap(withText))
      const isTaken = usual.some(({ status }) => status === 200)
      if (!isTaken || all.slice(0, 2 * usual.length).every(({ status }) => status === 200)) continue
      await sendAll(operation, some(oddTextsOneByOne.flatMap(withText)))
    }
    const state = await caller.post('/register', { fetch_event_types: ['message', 'realm'] })
    if (state.status === 401) return
    expect(state.status).toBe(200)
    expect((await caller.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 })).status).toBe(
      200,
    )
  })

  test('responds whatever its parameters hold', async () => {
    const wrong = declared.flatMap((param) =>
      wildValues(param).map((value) => ({ ...plain, [param.name]: value })),
    )
    const missing = declared.filter(({ inPath }) => !inPath).map(({ name }) => without(plain, name))
    await sendAll(operation, [...some(wrong), ...missing])
  })

  test.runIf(takesFiles)('answers whatever its files hold', async () => {
    for (const body of await wildBodies(plain)) {
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      const { method } = operation
      const answer = await caller.raw({
        method,
        path: apiPrefix + filledPath(operation, plain),
        headers,
        body,
      })
      checkAnswer(operation, plain, answer)
    }
  })

  test('responds to well-formed requests', async () => {
    await sendAll(operation, some(rightRequests(declared, likely, rightPerOperation, 2 + seed)))
  })
})

/** A part of the requests, spread over all parameters and their values. */
function some(requests: Sent[]): Sent[] {
  return requests.filter((_, i) => (i + seed) % oneIn === 0)
}

/** A new organization with a little of everything, and its owner, who has every permission. */
async function settle() {
  const org = await organization()
  const people = [org.owner, await org.person(), await org.person({ role: 'guest' })]
  const channels = [
    await org.channel({ name: 'notes', subscribers: people }),
    await org.channel({ name: 'secret', subscribers: [org.owner], isPrivate: true }),
  ]
  const send = (params: object) => org.owner.post('/messages', { ...params, content: 'hello' })
  const toChannel = await send({ type: 'channel', to: 'notes', topic: 'lunch' })
  const direct = await send({ type: 'direct', to: [people[1]!.id] })
  const { body: queue } = await org.owner.get('/events', { dont_block: true })
  caller = org.owner
  const words: [RegExp, (string | number)[]][] = [
    [/^queue_id$/, [queue.queue_id]],
    [/^(last_event_id|num_before|num_after)$/, [0, 1, 5]],
    [/narrow/, ['is', 'dm', 'channel', 'notes', 'topic', 'lunch', 'starred']],
    [/message|anchor/, [toChannel.body.id, direct.body.id, 'newest', 'oldest', 'first_unread']],
    [/email/, ['new@example.com', ...people.map(({ email }) => email)]],
    [/user|principal|member|sender/, people.map(({ id }) => id)],
    [/group|setting/, [org.group('role:everyone'), org.group('role:nobody')]],
    [/stream_id|channel_id/, channels.map(({ id }) => id)],
    [/^to$|stream|channel|subscriptions|delete|^name$/, ['notes', 'secret', 'new', channels[0]!.id]],
    [/^op$/, ['add', 'remove', 'start', 'stop']],
    [/flag/, ['read', 'starred', 'collapsed']],
    [/type/, ['stream', 'direct', 'message', 'subscription', 'realm_user']],
    [/operator|negated/, ['is', 'channel', 'topic', 'has', 'sender', 'search', 'dm', 'near', 'id']],
    [/operand/, ['dm', 'notes', 'lunch', 'link', people[1]!.email, 'hello', toChannel.body.id]],
    [/topic|subject/, ['lunch', 'dinner']],
    [/content|description|name|status/, ['Some words', '**bold** @**all**']],
    [/emoji/, ['tada', 'smile', '1f389', 'unicode_emoji']],
    [/policy|order|limit|seconds|days|role|level/, [1, 2, 3, 400, 600]],
  ]
  likely = (name) => words.find(([pattern]) => pattern.test(name))?.[1] ?? []
}

/** Looks for a valid request that succeeds. From it, each parameter is then made wrong. */
async function requestThatWorks(operation: Operation): Promise<Sent> {
  const candidates = distinct(rightRequests(operation.declared, likely, rightPerOperation, 1))
  for (const sent of candidates) if ((await ask(operation, sent)).status === 200) return sent
  return candidates[0]!
}

/** Returns each of them once: an operation with few parameters has few different requests. */
function distinct(requests: Sent[]): Sent[] {
  return [...new Map(requests.map((sent) => [JSON.stringify(sent), sent])).values()]
}

async function sendAll(operation: Operation, requests: Sent[]): Promise<Answer[]> {
  const received: Answer[] = []
  for (let i = 0; i < requests.length; i += concurrency) {
    const some = requests.slice(i, i + concurrency)
    const answers = await Promise.all(some.map((sent) => ask(operation, sent)))
    for (const [k, answer] of answers.entries()) checkAnswer(operation, some[k]!, answer)
    received.push(...answers)
    // Some operations lock out their caller.
    if (answers.some(({ status }) => status === 401)) await settle()
  }
  return received
}

function ask(operation: Operation, sent: Sent): Promise<Answer> {
  const { method, declared, isRoot } = operation
  const inPath = new Set(declared.filter((param) => param.inPath).map(({ name }) => name))
  const fields = Object.fromEntries(Object.entries(sent).filter(([name]) => !inPath.has(name)))
  // No request here waits for events.
  if (fields.queue_id !== undefined && method === 'GET') fields.dont_block = 'true'
  const filled = filledPath(operation, sent)
  if (!isRoot) return caller.ask(method, filled, fields)
  if (method === 'GET') return caller.raw({ method, path: `${filled}?${encode(fields)}` })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return caller.raw({ method, path: filled, headers, body: encode(fields) })
}

const boundary = 'between'

/** Bodies with these fields and a file: the beginnings of files of many kinds, names of all sorts, and broken ones. */
async function wildBodies(sent: Sent): Promise<Buffer[]> {
  const picture = await png(20)
  const kinds = [
    '',
    'GIF89a',
    'RIFF____WEBPVP8 ',
    'II*\0',
    '%PDF-',
    '<svg xmlns="">',
    'PK\x03\x04',
    '\x1a\x45\xdf\xa3',
  ]
  const contents = [
    picture,
    picture.subarray(0, 40),
    ...kinds.map((kind) => Buffer.from(`${kind}${'\0a'.repeat(99)}`)),
  ]
  const names = ['a.png', '../../x', '"\\', '\0', '.', 'é\u{202e}', 'x'.repeat(1_000)]
  const fields = Object.entries(sent).map(([name, value]) => part(`name="${name}"`, Buffer.from(value)))
  const file = (name: string, content: Buffer) =>
    Buffer.concat([
      ...fields,
      part(`name="f"; filename="${name}"`, content),
      Buffer.from(`--${boundary}--\r\n`),
    ])
  const whole = [
    ...contents.map((content) => file('a.png', content)),
    ...names.map((name) => file(name, picture)),
  ]
  const cuts = Array.from({ length: 12 }, (_, i) => whole[0]!.subarray(0, (whole[0]!.length * i) / 12))
  return [...whole, ...cuts]
}

function part(disposition: string, content: Buffer) {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')])
}

function checkAnswer(operation: Operation, sent: Sent, answer: Answer) {
  const story = `${operation.method} ${operation.path} ${JSON.stringify(sent).slice(0, 500)}\n${answer.text.slice(0, 500)}\n`
  expect(answer.status, story).toBeLessThan(500)
  // There are also pages, files, and redirects to them.
  const isForBrowsers = answer.status === 302 || answer.headers['content-type']?.startsWith('text/html')
  if (isForBrowsers || (operation.isRoot && answer.status < 400)) return
  expect(answer.body, story).toBeTypeOf('object')
  if (answer.status === 200) {
    const problem = successSchema(operation).safeParse(answer.body).error
    expect(problem && z.prettifyError(problem), story).toBeUndefined()
  } else {
    expect(answer.body, story).toMatchObject({
      result: 'error',
      msg: expect.any(String),
      ...(!operation.isRoot && { code: expect.any(String) }),
    })
  }
}

function without(sent: Sent, name: string): Sent {
  const { [name]: _, ...rest } = sent
  return rest
}
