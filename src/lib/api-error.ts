import { firstIn } from './must.ts'

/**
 * The error that a handler throws when it cannot carry out a request: the text and code that clients see, the HTTP
 * status, and further fields of the response. Only the HTTP layer formats errors.
 */
export class ApiError extends Error {
  readonly code: string | null
  readonly status: number
  readonly data: Record<string, unknown>

  constructor(
    message: string,
    code: string | null = 'BAD_REQUEST',
    status = 400,
    data: Record<string, unknown> = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

export function badRequest(message: string, data: Record<string, unknown> = {}) {
  return new ApiError(message, 'BAD_REQUEST', 400, data)
}

/** 400, this API's status for it: the caller has no permission. */
export function notPermitted() {
  return badRequest('Insufficient permission')
}

/** 400: the message does not exist, or the caller may not know of it. */
export function noSuchMessage() {
  return badRequest('Invalid message(s)')
}

/** 503: the server cannot do this now, but may soon. */
export function notReady(message: string) {
  return new ApiError(message, 'SERVER_NOT_READY', 503, { 'retry-after': 1 })
}

/** 429: the caller has asked for too much; `wait` in seconds. */
export function tooManyRequests(wait: number) {
  return new ApiError('API usage exceeded rate limit', 'RATE_LIMIT_HIT', 429, { 'retry-after': wait })
}

/** The fault of a field, or, under `__all__`, of several fields together. */
export type Problem = [field: string, text: string]

/** 400 for all faults in the input; the first of them is the message. */
export function invalidFields(problems: Problem[]) {
  const errors: Record<string, string[]> = {}
  for (const [field, text] of problems) {
    errors[field] ??= []
    errors[field].push(text)
  }
  return badRequest(firstIn(problems)[1], { errors })
}
