import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError, badRequest, notReady } from '../../lib/api-error.ts'
import { type ComponentError, componentError } from '../../lib/component.ts'
import { codeOf } from '../../lib/errors.ts'
import type { FailedWork, Failures } from '../../lib/failures.ts'
import { guard } from '../../lib/guard.ts'
import type { Chunk } from '../../lib/gzip/gzip-chunks.ts'
import { isForPrograms, isForSessions } from '../callers/caller.ts'
import type { Endpoint } from '../endpoint.ts'
import { TooBusy } from '../overload/admission.ts'
import { noteRefusal } from '../overload/pause-refused.ts'
import {
  CookieAnswer,
  FileAnswer,
  JsonAnswer,
  LaterAnswer,
  loginRedirect,
  PageAnswer,
  ProtocolAnswer,
  RedirectAnswer,
  StreamAnswer,
} from './answer-kinds.ts'
import { type ErrorPage, sendPage, sendRedirect, setCookies, wantsPage } from './pages.ts'
import { beginBody, sendChunks } from './send.ts'
import { sendFile } from './send-file.ts'

/** Sends a successful response. `ignored`: the parameters that the endpoint does not know. */
export function answer(reply: FastifyReply, endpoint: Endpoint, result: object, ignored: string[]) {
  const { returns } = endpoint
  if (result instanceof LaterAnswer) return answerLater(reply, endpoint, result, ignored)
  if (result instanceof StreamAnswer) return answerStream(reply, result)
  if (result instanceof FileAnswer) return sendFile(reply, result)
  if (result instanceof PageAnswer) return sendPage(reply, result)
  if (result instanceof RedirectAnswer) return sendRedirect(reply, result)
  if (result instanceof ProtocolAnswer) return sendProtocolAnswer(reply, result)
  if (result instanceof CookieAnswer) {
    setCookies(reply, result.cookies)
    return sendFields(reply, result.fields, ignored)
  }
  if (returns instanceof z.ZodType) return sendJson(reply, 200, [JSON.stringify(result)])
  if (!(result instanceof JsonAnswer)) return sendFields(reply, result, ignored)
  const tail = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  return sendJson(reply, 200, ['{"result":"success","msg":"",', ...result.fields, `${tail}}`])
}

/**
 * Begins a response that goes on until the server or the client ends it. Its end is that of the connection, so it does without chunked
 * encoding, in which each write would be three.
 */
function answerStream(reply: FastifyReply, { contentType, begin }: StreamAnswer) {
  const { raw, request } = reply
  raw.removeHeader('transfer-encoding')
  reply
    .header('connection', 'close')
    .header('content-type', contentType)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
  if (!beginBody(reply)) return reply
  const end = () => raw.end()
  begin({
    write(text) {
      const canTakeMore = raw.write(text)
      // Otherwise Node would write nothing until the loop over all clients has ended.
      raw.socket?.uncork()
      return canTakeMore
    },
    whenDrained(go) {
      const goOn = guard(end, go)
      raw.once('drain', goOn)
    },
    end,
    fail(error) {
      if (!(error instanceof ApiError))
        request.log.error({ ...namesOf(request), err: error }, 'stream failed')
      end()
    },
  })
  return reply
}

function answerLater(reply: FastifyReply, endpoint: Endpoint, later: LaterAnswer, ignored: string[]) {
  reply.hijack()
  const fail = (error: Error) => {
    answerError(reply, error, reply.request)
  }
  later.sendBy(guard(fail, (make) => answer(reply, endpoint, make(), ignored)))
  return reply
}

/** Sends an error. Only unexpected errors are logged, with the request id that the client receives. */
export function answerError(reply: FastifyReply, error: unknown, request: FastifyRequest) {
  const known = error instanceof ApiError ? error : translate(error, request)
  if (known.status === 401 && known.code === 'UNAUTHORIZED') {
    reply.header('www-authenticate', `${schemeFor(request)} realm="zulip"`)
  }
  // The rest of a body that is too long is not read.
  if (known.status === 413) reply.header('connection', 'close')
  if (known.data['retry-after'] !== undefined) reply.header('retry-after', known.data['retry-after'])
  if (known instanceof TooBusy) noteRefusal(request.raw, reply.raw)
  return sendJson(reply, known.status, [errorJson(known)])
}

export function errorJson({ message: msg, code, data }: ApiError): string {
  return JSON.stringify({ result: 'error', msg, ...data, ...(code && { code }) })
}

/**
 * Sends an error: to a browser that wants to show a page, as a page, or as a redirect to the sign-in page if a login is required; to others
 * as JSON.
 */
export function answerErrorPage(
  reply: FastifyReply,
  error: unknown,
  request: FastifyRequest,
  errorPage: ErrorPage,
) {
  if (!wantsPage(request) || isForPrograms(request.url)) return answerError(reply, error, request)
  const known = error instanceof ApiError ? error : translate(error, request)
  const { status, code } = known
  if (code === 'UNAUTHORIZED' && request.method === 'GET' && !request.headers.authorization) {
    return sendRedirect(reply, loginRedirect(request.url))
  }
  if (known.data['retry-after'] !== undefined) reply.header('retry-after', known.data['retry-after'])
  return sendPage(reply, new PageAnswer(errorPage(known, request.headers['accept-language']), { status }))
}

/** 405, with the methods of the path. */
export function methodNotAllowed(reply: FastifyReply, allowed: readonly string[]) {
  reply.header('allow', allowed.join(', '))
  const body = { result: 'error', msg: 'Method Not Allowed', allowed_methods: allowed }
  return sendJson(reply, 405, [JSON.stringify(body)])
}

// With the scheme Basic, a browser would ask the user for a name and a password itself.
function schemeFor({ url, headers }: FastifyRequest) {
  return isForSessions(url) || headers['sec-fetch-mode'] ? 'Session' : 'Basic'
}

function sendProtocolAnswer(reply: FastifyReply, { status, headers, fields }: ProtocolAnswer) {
  reply.headers(headers)
  if (!fields) return reply.code(status).header('cache-control', 'no-store').send()
  return sendJson(reply, status, [JSON.stringify({ result: 'success', msg: '', ...fields })])
}

function sendFields(reply: FastifyReply, fields: object, ignored: string[]) {
  const extra = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}
  return sendJson(reply, 200, [JSON.stringify({ result: 'success', msg: '', ...fields, ...extra })])
}

export function sendJson(reply: FastifyReply, status: number, body: Chunk[]) {
  reply
    .code(status)
    .header('content-type', 'application/json')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'max-age=0, no-cache, no-store, must-revalidate, private')
  return sendChunks(reply, [...body, '\n'])
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs failures of components, a limited number of them. */
    failures: Failures
  }
}

/** Logs the failure of a component. */
export function logComponent(request: FastifyRequest, error: ComponentError) {
  request.server.failures.ofRequest(namesOf(request), error)
}

/** Returns what names a request in the log: its id, and its operation as soon as that is known. */
function namesOf({ id: reqId, operation }: FastifyRequest): FailedWork {
  return { reqId, ...(operation && { operation: `${operation.method} ${operation.path}` }) }
}

/** Returns the error that the client gets for one that is no ApiError, and logs it unless it is the client's fault. */
function translate(error: unknown, request: FastifyRequest): ApiError {
  const { log } = request
  if (isFromFastify(error)) return new ApiError(error.message, 'BAD_REQUEST', error.statusCode)
  if (hasNullByte(error)) return badRequest('Parameters must not contain null bytes')
  const failed = componentError(error)
  if (failed) {
    logComponent(request, failed)
    return notReady(failed.message)
  }
  if (isTaken(error)) {
    log.warn({ ...namesOf(request), err: error }, 'a name was taken that looked free')
    return badRequest('That name is already in use.')
  }
  log.error({ ...namesOf(request), err: error }, 'request failed')
  return new ApiError('Internal server error', null, 500)
}

/** An error that Fastify itself throws: a body that is too large, for instance. */
function isFromFastify(error: unknown): error is Error & { statusCode: number } {
  const status = (error as { statusCode?: number } | null)?.statusCode
  return error instanceof Error && status !== undefined && status >= 400 && status < 500
}

/** The only character that the database cannot store. */
function hasNullByte(error: unknown) {
  return ['22021', '22P05'].includes(codeOf(error) ?? '')
}

/**
 * Whether a unique index refused a name: it differs from another one for us, but not for the database, which knows the letter cases of
 * more languages.
 */
function isTaken(error: unknown) {
  return codeOf(error) === '23505'
}
