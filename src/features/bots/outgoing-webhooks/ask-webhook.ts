import { FetchError, type SafeAnswer } from '../../../adapters/safe-fetch.ts'
import { type JobContext, TryLater } from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { must } from '../../../lib/must.ts'
import { outgoingLimits } from './limits.ts'
import { type Question, webhookPayload } from './payload.ts'
import { type Reply, replyIn } from './reply.ts'

/** Temporary problems. */
const passing = ['timeout', 'unreachable']

/**
 * Posts a question to the webhook of a bot. Returns its reply. Throws TryLater if a retry may succeed, and an ApiError
 * otherwise.
 */
export async function askWebhook(context: JobContext, question: Question): Promise<Reply | undefined> {
  const { status, body } = await post(context, question)
  if (status >= 200 && status < 300) return replyIn(body, question.service.interface)
  const reason = `It answered with the status code ${status}.`
  throw status >= 500 || status === 429 || status === 408 ? new TryLater(reason) : badRequest(reason)
}

async function post({ log, site, adapters, stopping }: JobContext, question: Question): Promise<SafeAnswer> {
  const { contentType, body } = webhookPayload(log.state, site, question)
  try {
    return await adapters.webhookFetch(must(question.service.base_url, 'address of the bot'), {
      method: 'POST',
      headers: { 'content-type': contentType, 'user-agent': 'Rookery-Outgoing-Webhook' },
      body,
      timeoutMs: outgoingLimits.outgoingSeconds * 1000,
      maxBytes: outgoingLimits.outgoingAnswer,
      redirects: 3,
      signal: stopping,
    })
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    const reason = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`
    if (error.problem === 'aborted') throw new TryLater(reason, 0)
    throw passing.includes(error.problem) ? new TryLater(reason) : badRequest(reason)
  }
}
