import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, encode } from '../../test/http.ts'
import type { Organization } from '../../test/organization.ts'
import type { Person } from '../../test/person.ts'
import { png, sendFiles } from '../../test/pictures.ts'
import {
  filledPath,
  nameOf,
  type Operation,
  operations,
  successSchema,
} from '../../test/random/operations.ts'
import { type UsualRequest, usualRequests } from '../../test/random/usual-requests.ts'
import { effort } from '../../test/runner/effort.ts'
import { type Node, testServer } from '../../test/test-server.ts'
import { BigBlueButton } from '../adapters/big-blue-button.ts'
import { PushRelay } from '../adapters/push-relay.ts'
import { safeFetch } from '../adapters/safe-fetch.ts'
import { compareFiles } from '../features/clients/stored-files/compare.ts'
import { allEndpoints } from '../features/index.ts'

// Two concurrent requests have the outcome of the same two in turn: the same answers, and as many rows.

type Sent = Record<string, string>
type Pair = readonly [Person, Person]
type Ask = (who: Person) => Promise<Answer>
/** The answers to both requests, without order and numbers, and how many rows each table has gained. */
type Outcome = { answers: string[]; rows: Record<string, number | undefined> }

const lines: string[] = []
const server = testServer({
  adapters: {
    push: new PushRelay('http://127.0.0.1:1', undefined, false, safeFetch()),
    bigBlueButton: new BigBlueButton('http://127.0.0.1:1', 'secret', safeFetch()),
  },
  log: (line) => lines.push(line),
})
const picture = await png(10)

/** Rows of these come and go with time, and jobs: the log itself, work to do, files to be removed. */
const restless = ['event_log', 'event_queue', 'job', 'presence', 'unrecorded_file']
/** The lines that nodes log of refused requests, and of a push relay that does not exist. */
const expected = /"(login refused|The push relay failed)/

/** Parameters of operations that require none, so that they change something. */
const chosen: Record<string, Sent> = {
  'PATCH /realm': { name: 'Other', description: 'other' },
  'PATCH /realm/user_settings_defaults': { enter_sends: 'true' },
  'PATCH /settings': { full_name: 'Other', enter_sends: 'true' },
  'PATCH /settings/display': { color_scheme: '2' },
  'PATCH /settings/notifications': { enable_sounds: 'false' },
  'PATCH /users/{user_id}': { full_name: 'Other', role: '300' },
  'PATCH /users/{email}': { full_name: 'Other' },
  'PATCH /streams/{stream_id}': { new_name: 'other', description: 'other' },
  'PATCH /bots/{bot_id}': { full_name: 'Other' },
  'PATCH /channel_folders/{channel_folder_id}': { name: 'other' },
  'PATCH /realm/profile_fields/{field_id}': { name: 'Other' },
  'PATCH /saved_snippets/{saved_snippet_id}': { title: 'other' },
  'POST /users/me/alert_words': { alert_words: '["other"]' },
  'POST /zcommand': { command: '/dark' },
  'PATCH /rookery/audit_log': { retention_days: '400' },
}

let count = 0
let there: Node
let org: Organization
let usual: UsualRequest
let other: Person
let database: pg.Client
let countRows: string

beforeAll(async () => {
  there = await server.anotherNode()
  database = new pg.Client({ connectionString: server.databaseUrl })
  await database.connect()
  const { rows } = await database.query(`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'realm_id' ORDER BY table_name`)
  const tables = rows.map(({ name }) => name).filter((name) => !restless.includes(name))
  countRows = tables
    .map((name) => `SELECT '${name}' AS name, count(*)::integer FROM "${name}" WHERE realm_id = $1`)
    .join(' UNION ALL ')
})

afterAll(() => database?.end())

const writing = operations().filter(({ isRoot, method }) => !isRoot && method !== 'GET')

/** Otherwise, some of the operations are tried, each in one way. */
const isThorough = effort >= 1
/** One in this many operations is tried; TEST_EFFORT=1 tries all of them. */
const oneIn = Math.max(1, Math.round(0.4 / effort))
/** Chooses these operations: the same seed tries the same ones. */
const seed = Number(process.env.FUZZ_SEED ?? 0)
const tried = writing.filter((_, i) => (i + seed) % oneIn === 0)

describe.each(tried)(`$method $path (TEST_EFFORT=${effort} FUZZ_SEED=${seed})`, (operation) => {
  const isRepeatable = canBeRepeated(operation)

  test.runIf(isThorough || !isRepeatable)('by one user, to two nodes', () =>
    compare(operation, () => [org.owner, at(there, org.owner)]),
  )

  test.runIf(isRepeatable)('by one user, to two nodes, under one key', () =>
    compare(operation, () => [org.owner, at(there, org.owner)], true),
  )

  test.runIf(isThorough)('by two users, to one node', () => compare(operation, () => [org.owner, other]))
})

type Way = (ask: Ask, pair: Pair) => Promise<Answer[]>

const together: Way = (ask, pair) => Promise.all(pair.map(ask))
const inTurn: Way = async (ask, [first, second]) => [await ask(first), await ask(second)]
const reversed: Way = async (ask, [first, second]) => [await ask(second), await ask(first)]

/** Sends a request twice concurrently, and another one twice in turn, in the other order too if the outcomes differ. */
async function compare(operation: Operation, callers: () => Pair, hasKey = false) {
  const outcome = await sendTwice(operation, callers, together, hasKey)
  const before = await sendTwice(operation, callers, inTurn, hasKey)
  if (isDeepStrictEqual(outcome, before)) return
  expect([before, await sendTwice(operation, callers, reversed, hasKey)]).toContainEqual(outcome)
}

async function sendTwice(
  operation: Operation,
  callers: () => Pair,
  way: Way,
  hasKey: boolean,
): Promise<Outcome> {
  await settle()
  const pair = callers()
  const sent = await request(operation)
  const key = hasKey ? `twice ${++count}` : undefined
  // Events of requests in turn are checked by the tests of each operation.
  const clients = way === together ? await Promise.all(pair.map((who) => who.register())) : []
  const before = await rowsNow()
  const answers = await way((who) => askOnce(operation, who, sent, key), pair)
  for (const answer of answers) checkAnswer(operation, answer)
  if (hasKey) expect(answers[1]!.body).toEqual(answers[0]!.body)
  const outcome = await outcomeOf(answers, before)
  if (await isGone(pair)) return outcome
  for (const client of clients) await client.expectStateToMatch()
  const { unrecorded } = await compareFiles(org.log.database.read, server.adapters.files, org.id)
  expect(unrecorded).toEqual([])
  return outcome
}

async function outcomeOf(answers: Answer[], before: Map<string, number>): Promise<Outcome> {
  const { audit_entry, ...rows } = await moreThan(before)
  // The audit log has refused keys, but not requests whose key ends while they wait.
  const isRefused = answers.some(({ status }) => status === 401)
  return { answers: answers.map(told).sort(), rows: isRefused ? rows : { ...rows, audit_entry } }
}

/** A new organization, so that the first requests of their kind come twice, too. */
async function settle() {
  org = await server.organization()
  other = await org.person({ name: 'Otto', role: 'owner' })
  usual = await usualRequests(org)
}

async function isGone(people: readonly Person[]) {
  const known = await Promise.all(people.map((who) => who.get('/users/me')))
  return known.some(({ status }) => status !== 200)
}

async function request(operation: Operation): Promise<Sent> {
  const sent = { ...(await usual(operation)), ...chosen[nameOf(operation)] }
  // The newest message is another one than those of the request.
  await org.owner.post('/messages', { type: 'direct', to: [org.owner.id], content: 'last' })
  return sent
}

function askOnce(operation: Operation, who: Person, sent: Sent, key: string | undefined): Promise<Answer> {
  const { method, declared, takesFiles } = operation
  const inPath = new Set(declared.filter((param) => param.inPath).map(({ name }) => name))
  const fields = Object.fromEntries(Object.entries(sent).filter(([name]) => !inPath.has(name)))
  const path = filledPath(operation, sent)
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  if (path.startsWith('/external')) return who.post(`${path}?${encode(fields)}`, {}, { headers })
  if (takesFiles) return sendFiles(who, method, path, [{ content: picture }], { fields, headers })
  return who.ask(method, path, fields, { headers })
}

/** Every answer is a documented one, and nothing has come as a surprise to the server. */
function checkAnswer(operation: Operation, { status, body, text }: Answer) {
  expect(status, text).toBeLessThan(500)
  const warnings = lines.splice(0).filter((line) => JSON.parse(line).level >= 40 && !expected.test(line))
  expect(warnings).toEqual([])
  if (status === 200) {
    const { ignored_parameters_unsupported: _, ...fields } = body
    const problem = successSchema(operation).safeParse(fields).error
    expect(problem && z.prettifyError(problem), text).toBeUndefined()
  } else {
    expect(body, text).toMatchObject({ result: 'error', msg: expect.any(String), code: expect.any(String) })
  }
}

function told({ status, body }: Answer): string {
  // A request that was checked before its message was deleted says so in other words than one that comes later.
  const msg = body.msg === 'Message already deleted' ? 'Invalid message(s)' : body.msg
  return `${status} ${body.code ?? ''} ${msg}`.replace(/[\da-f-]*\d[\da-f-]*/g, '#')
}

async function rowsNow(): Promise<Map<string, number>> {
  await server.workOff()
  const { rows } = await database.query(countRows, [org.id])
  return new Map(rows.map((row) => [row.name, row.count]))
}

async function moreThan(before: Map<string, number>): Promise<Record<string, number>> {
  const after = await rowsNow()
  const differences = [...after].map(([name, rows]) => [name, rows - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(differences.filter(([, more]) => more !== 0))
}

function canBeRepeated({ method, path }: Operation) {
  return allEndpoints.some((one) => one.method === method && one.path === path && one.creates)
}

function at(node: Node, who: Person) {
  return who.at({ ...who.place, port: node.port })
}
