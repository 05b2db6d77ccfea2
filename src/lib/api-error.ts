/**
 * What a handler throws when a request cannot be answered: the text and code that clients see, the HTTP status, and
 * further fields of the answer. The edge formats it; nothing else formats an error.
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

/** 400, which is how this API says it: the caller may not do this. */
export function notPermitted() {
  return badRequest('Insufficient permission')
}

/** 400: there is no such message, or the caller may not know of it. */
export function noSuchMessage() {
  return badRequest('Invalid message(s)')
}

/** 503: the server cannot do this now, but may soon. */
export function notReady(message: string) {
  return new ApiError(message, 'SERVER_NOT_READY', 503, { 'retry-after': 1 })
}

/** What is wrong with a field, or, under `__all__`, with several together. */
export type Problem = [field: string, text: string]

/** 400 for all that is wrong with what was sent; the first of the problems is the message. */
export function invalidFields(problems: Problem[]) {
  const errors: Record<string, string[]> = {}
  for (const [field, text] of problems) {
    errors[field] ??= []
    errors[field].push(text)
  }
  return badRequest(problems[0]![1], { errors })
}
