import { ApiFailure, type Params, post } from './client.ts'

/** The keys of requests that got no answer: the server may have carried them out. */
const unanswered = new Map<string, string>()

/** Posts what must not be made twice. The server knows a repeat of a request that got no answer by its key, and answers it. */
export async function postOnce<T>(path: string, params: Params): Promise<T> {
  const request = path + JSON.stringify(params)
  const key = unanswered.get(request) ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
  unanswered.set(request, key)
  try {
    const answer = await post<T>(path, params, { headers: { 'idempotency-key': key } })
    unanswered.delete(request)
    return answer
  } catch (error) {
    if (!(error instanceof ApiFailure && error.isTemporary)) unanswered.delete(request)
    throw error
  }
}
