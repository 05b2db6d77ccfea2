import { createHash, hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { ApiError, badRequest } from '../lib/api-error.ts'
import { codeOf, constraintOf } from '../lib/errors.ts'
import { must } from '../lib/must.ts'
import type { RowKey, Secrets } from '../lib/secrets/sealed.ts'
import type { Change } from '../log/change.ts'
import type { ReceivedFile } from './body/files.ts'
import type { CommandContext, Conclude, Endpoint } from './endpoint.ts'
import { httpLimits } from './limits.ts'
import type { Params } from './params.ts'

/**
 * Identifies a repeated request of a user. A row of `idempotency_key` stores the key with the response, and is written
 * in the transaction of the request.
 */
export type RequestKey = {
  /** The hash of its name. */
  key: string
  /** The hash of the request's parameters; null if they are part of its name. */
  request: string | null
  /** The user's event queue with which the key ends; null for a key that is independent of queues. */
  queueId: string | null
}

type Context = CommandContext<Params, unknown>

/** The parts of a request that distinguish it from others. */
export type IdempotentRequest = {
  endpoint: Endpoint
  fields: ReadonlyMap<string, string>
  files: readonly ReceivedFile[]
  /** The body, if it is not a form. */
  body: Buffer
}

/** Returns the key of the header Idempotency-Key. Throws 400 if it is too long or empty. */
export async function keyOfHeader(
  header: string,
  asked: IdempotentRequest,
  context: Context,
): Promise<RequestKey> {
  if (header === '' || header.length > httpLimits.idempotencyKeyLength) {
    throw badRequest('Idempotency-Key is too long or empty')
  }
  return { key: hash('sha256', `key:${header}`), request: await fingerprint(asked, context), queueId: null }
}

/** Parameters that do not affect what the request does. */
const incidental = ['client', 'method']

async function fingerprint(
  { endpoint, fields, files, body }: IdempotentRequest,
  { params }: Context,
): Promise<string> {
  const ignored = [...incidental, ...(endpoint.incidental ?? [])]
  const digest = createHash('sha256')
  const inPath = Object.entries(endpoint.params).flatMap(([name, { source }]) =>
    source === 'path' ? name : [],
  )
  const sent = [...fields].filter(([name]) => !ignored.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const path = inPath.map((name) => (params as Record<string, unknown>)[name])
  digest.update(JSON.stringify([endpoint.method, endpoint.path, path, sent, files.map(({ name }) => name)]))
  digest.update(body)
  for (const file of files) await pipeline(file.read(), digest, { end: false })
  return digest.digest('hex')
}

/** Handles a request with a key. If it was handled before, it does nothing, and returns or throws the first response. */
export async function handleOnce(endpoint: Endpoint, context: Context, userId: number, key: RequestKey) {
  const find = () => firstAnswer(context, userId, key)
  // Nearly every message has a queue_id and a local_id, and hardly any is repeated: those are looked up only if
  // refused.
  const first = key.request === null ? undefined : await find()
  if (first) return returnOrThrow(first)
  const conclude = concludeUnder(context, userId, key)
  try {
    return await endpoint.handle({ ...context, requestKey: key, conclude })
  } catch (error) {
    const before = mayBeRepeat(error) ? await find() : undefined
    if (before) return returnOrThrow(before)
    throw error
  }
}

/** The first response may have been an error. */
function returnOrThrow(answer: object): object {
  if (answer instanceof ApiError) throw answer
  return answer
}

/** Whether the request may have been refused because it was carried out before. */
function mayBeRepeat(error: unknown) {
  if (error instanceof ApiError) return error.status < 500
  return codeOf(error) === '23505' && constraintOf(error) === 'idempotency_key_pkey'
}

/**
 * Returns the first response to the request with this key; undefined if there was none. Throws 422 for a key of another
 * request.
 */
async function firstAnswer({ read, realm, site }: Context, userId: number, key: RequestKey) {
  const [row] = await read.rows<KeyRow>(rowQuery(realm.id, userId, key))
  if (!row) return undefined
  if (row.request !== null && row.request !== key.request) {
    throw new ApiError('Idempotency-Key belongs to another request', 'IDEMPOTENCY_KEY_REUSED', 422)
  }
  const text =
    row.answer ?? site.secrets.open(purpose, rowKeyOf(realm.id, userId, key), must(row.sealed, 'answer'))
  if (text === undefined) throw badRequest('The answer to this request can no longer be read')
  return answerIn(text)
}

/** Serializes a response: an object as it is, an ApiError as the list of its parts. */
function textOf(answer: object): string {
  if (!(answer instanceof ApiError)) return JSON.stringify(answer)
  const { message, code, status, data } = answer
  return JSON.stringify([message, code, status, data])
}

function answerIn(text: string): object {
  const kept = JSON.parse(text)
  return Array.isArray(kept) ? new ApiError(...(kept as ConstructorParameters<typeof ApiError>)) : kept
}

type KeyRow = { request: string | null; answer: string | null; sealed: string | null }

function rowQuery(realmId: number, userId: number, { key, queueId }: RequestKey) {
  const hasQueue = sql`EXISTS (SELECT FROM event_queue q
    WHERE q.realm_id = ${realmId} AND q.id = ${queueId}::uuid AND q.user_id = ${userId})`
  return sql<KeyRow>`SELECT request, answer, sealed FROM idempotency_key
    WHERE realm_id = ${realmId} AND user_id = ${userId} AND key = ${key}
      AND ${queueId === null ? sql`true` : hasQueue}`
}

/** Returns the `conclude` of a request with a key. */
function concludeUnder({ commit, site }: Context, userId: number, key: RequestKey): Conclude {
  return (work, options) =>
    commit(async (change) => {
      // Of two concurrent requests, the second one waits until the first has committed.
      const [known] = await change.run(rowQuery(change.state.id, userId, key))
      if (known) throw badRequest('This request was carried out before')
      const answer = await work(change)
      await keepAnswer(change, userId, key, answer, options?.isSecret ? site.secrets : undefined)
      return answer
    })
}

async function keepAnswer(
  change: Change,
  user_id: number,
  requestKey: RequestKey,
  answer: object,
  secrets: Secrets | undefined,
) {
  const { key, request } = requestKey
  const text = textOf(answer)
  if (text.length > httpLimits.idempotentAnswerLength) {
    throw badRequest('The answer would be too long to keep. Ask for less, or leave out Idempotency-Key.')
  }
  const kept = secrets
    ? { answer: null, sealed: secrets.seal(purpose, rowKeyOf(change.state.id, user_id, requestKey), text) }
    : { answer: text, sealed: null }
  await change.insert('idempotency_key', { user_id, key, request, ...kept, created_at: change.now })
}

const purpose = 'answer to a request that may be repeated'

function rowKeyOf(realmId: number, userId: number, { key }: RequestKey): RowKey {
  return [realmId, userId, key]
}
