import { signedInAs } from '../lib/signed-in-as.ts'

/** A request that did not succeed. `status` 0: the server could not be reached. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  /** How long to wait before the next attempt, in seconds, if the server says so. */
  readonly retryAfter: number | undefined
  /** All that the server has said. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, retryAfter?: number, body = {}) {
    super(message)
    this.body = body
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

export type Params = Record<string, unknown>
type Options = { signal?: AbortSignal; keepalive?: boolean; headers?: Record<string, string> }

let endSession = (_isReading: boolean) => {}
/** Says what the page does when the session has ended. `isReading`: whether a request has found out that changes nothing. */
export function onSignedOut(action: (isReading: boolean) => void) {
  endSession = action
}

/** The session has ended: the server has refused a request for it. */
export function signedOut(isReading: boolean) {
  endSession(isReading)
}

/** The user whose page this is. */
let owner: number | undefined

/** Tells whose state the page shows. Where the cookie says otherwise already, it is of no use. */
export function setOwner(userId: number) {
  owner = signedInAs() === userId ? userId : undefined
}

/**
 * To be called before each request. When another user has signed in meanwhile, in another tab, nothing of this page may
 * go out in their name: the page begins anew, as theirs.
 */
function checkOwner() {
  if (!isOfAnother()) return
  // Without a connection, the browser would show an error page of its own in place of this one.
  if (navigator.onLine) location.reload()
  else addEventListener('online', reloadForAnother, { once: true })
  throw new ApiFailure(0, 'OTHER_USER', 'Another user has signed in.')
}

function isOfAnother(): boolean {
  const user = signedInAs()
  return owner !== undefined && user !== undefined && user !== owner
}

function reloadForAnother() {
  if (isOfAnother()) location.reload()
}

export function get<T>(path: string, params: Params = {}, options: Options = {}): Promise<T> {
  const query = form(params).toString()
  return send(`/json${path}${query && `?${query}`}`, { method: 'GET', ...options })
}

export function post<T>(path: string, params: Params = {}, options: Options = {}): Promise<T> {
  return send(`/json${path}`, { method: 'POST', body: form(params), ...options })
}

export function patch<T>(path: string, params: Params = {}, options: Options = {}): Promise<T> {
  return send(`/json${path}`, { method: 'PATCH', body: form(params), ...options })
}

export function remove<T>(path: string, params: Params = {}, options: Options = {}): Promise<T> {
  return send(`/json${path}`, { method: 'DELETE', body: form(params), ...options })
}

/** How many requests are being repeated, and who is told when the first one begins and the last one ends. */
let hindered = 0
let tellHindered = (_isHindered: boolean) => {}
export function onHindered(action: (isHindered: boolean) => void) {
  tellHindered = action
}

function countHindered(change: 1 | -1) {
  hindered += change
  tellHindered(hindered > 0)
}

/** Seconds until a failed request is repeated: they grow, and differ between clients, which a busy server refuses together. */
export function pauseAfter({ retryAfter = 0 }: ApiFailure, attempt: number): number {
  const spread = 0.5 + Math.random() / 2
  return Math.max(2 * retryAfter, Math.min(30, 2 ** attempt)) * spread
}

/** Repeats a request that changes nothing until it succeeds or fails for good, with growing pauses. */
export async function untilDone<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      const found = await request()
      if (attempt > 0) countHindered(-1)
      return found
    } catch (error) {
      const mayRepeat = error instanceof ApiFailure && error.isTemporary && attempt < 8 && !signal?.aborted
      if (attempt > 0 && !mayRepeat) countHindered(-1)
      if (!mayRepeat) throw error
      if (attempt === 0) countHindered(1)
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(error, attempt) * 1000))
    }
  }
}

/** Makes a request of the API. */
export async function send<T>(url: string, init: RequestInit): Promise<T> {
  checkOwner()
  let response: Response
  try {
    response = await fetch(url, { ...init, credentials: 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw unreachable()
  }
  const body = await response.json().catch(() => ({}))
  if (response.ok && body.result !== 'error') return body
  if (response.status === 401) signedOut(init.method === 'GET')
  throw failureOf(response, body)
}

/** No answer of the server has come. */
export function unreachable() {
  return new ApiFailure(0, 'UNREACHABLE', 'The server cannot be reached.')
}

/** Returns the failure that a response reports. A proxy whose server is away answers with a page and a status from 500 on. */
function failureOf({ status, headers }: Response, body: { code?: string; msg?: string }): ApiFailure {
  if (status >= 500 && body.msg === undefined) return unreachable()
  const retryAfter = Number(headers.get('retry-after')) || undefined
  return new ApiFailure(status, body.code ?? 'UNKNOWN', body.msg ?? `HTTP ${status}`, retryAfter, body)
}

/** Encodes parameters as a form: strings as they are, other values as JSON. Leaves out undefined ones. */
function form(params: Params): URLSearchParams {
  const made = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) made.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return made
}

/** The keys of requests that got no answer: the server may have carried them out. */
const unanswered = new Map<string, string>()

/**
 * Sends what must not be made twice. The server knows a repeat of a request that got no answer by its key, and answers it. `request`:
 * tells the request from others.
 */
export async function once<T>(
  request: string,
  send: (options: { headers: Record<string, string> }) => Promise<T>,
): Promise<T> {
  const key = unanswered.get(request) ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
  unanswered.set(request, key)
  let mayRepeat = false
  try {
    return await send({ headers: { 'idempotency-key': key } })
  } catch (error) {
    mayRepeat = error instanceof ApiFailure && error.isTemporary
    throw error
  } finally {
    if (!mayRepeat) unanswered.delete(request)
  }
}

export function postOnce<T>(path: string, params: Params): Promise<T> {
  return once(path + JSON.stringify(params), (options) => post(path, params, options))
}
