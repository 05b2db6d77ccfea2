import { sql } from 'kysely'
import { botTypes } from '../../../db/bot-types.ts'
import type { MessageRow, OutgoingRequestRow } from '../../../db/schema.ts'
import {
  finishJob,
  type Job,
  type JobContext,
  type JobHandler,
  parkJob,
  TryLater,
} from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { realmUrl } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import { messageColumns } from '../../kernel/messages/columns.ts'
import type { NewMessage } from '../../kernel/messages/new-message.ts'
import { noticeTo } from '../../kernel/messages/notify-people.ts'
import { addMessage } from '../../messages/kernel/messages/add-message.ts'
import { messageUrl } from '../../messages/kernel/messages/message-url.ts'
import { silentMention } from '../../people/kernel/users/names.ts'
import { answerOf, keepValues } from '../kernel/embedded-bots/answer.ts'
import type { Answer } from '../kernel/embedded-bots/bot.ts'
import { isServed } from '../kernel/embedded-bots/embedded-bots.ts'
import { askWebhook } from './ask-webhook.ts'
import { awaitEarlierRequests } from './await-earlier-requests.ts'
import { composePost, composeReply } from './compose-answer.ts'
import { outgoingLimits } from './limits.ts'
import type { Question } from './payload.ts'

/**
 * Sends a message to a bot's webhook or to its code in the server, and posts the reply as the bot's message in the same
 * conversation. Delivery is at least once: the request is repeated if the server crashes before the reply is written.
 */
export function outgoingDelivery(): JobHandler {
  const busy = new Map<string, number>()
  return {
    kind: 'outgoing',
    within: 0,
    isSlow: true,

    async run(context, job) {
      const question = await questionOf(context, job)
      if (!question) return void (await context.log.commit((change) => finish(change, job)))
      const answer = isEmbedded(question)
        ? await answerOfCode(context, job, question)
        : await inTurn(busy, `${job.realm_id}:${question.bot.id}`, () =>
            answerOfWebhook(context, job, question),
          )
      await context.log.commit(async (change) => {
        if (!(await finish(change, job))) return
        const bot = change.state.users.get(question.bot.id)
        if (!bot?.is_active) return
        for (const message of answer.messages) await addMessage(change, bot, message)
        if (answer.keep) await keepValues(change, bot.id, answer.keep)
      })
    },

    async giveUp(context, job, reason) {
      const question = await questionOf(context, job)
      const { state, commit } = context.log
      const owner = question && state.users.get(question.bot.bot_owner_id ?? 0)
      const tell = owner?.is_active && noticeTo(context, owner, failureText(context, question!, reason))
      await commit(async (change) => {
        if (!(await parkJob(change, job, reason))) return
        if (tell) await tell(change)
        await forgetOld(change)
      })
    },
  }
}

/** Limits the concurrent requests of a bot, so that a slow bot leaves capacity for the others. */
async function inTurn<T>(busy: Map<string, number>, bot: string, work: () => Promise<T>): Promise<T> {
  const before = busy.get(bot) ?? 0
  if (before >= outgoingLimits.concurrentOutgoingPerBot)
    throw new TryLater('Others of this bot come first.', 1)
  busy.set(bot, before + 1)
  try {
    return await work()
  } finally {
    const left = (busy.get(bot) ?? 1) - 1
    if (left > 0) busy.set(bot, left)
    else busy.delete(bot)
  }
}

/** The actions of a bot, ready to be written. */
type Ready = { messages: NewMessage[]; keep?: Answer['keep'] }

async function answerOfWebhook(context: JobContext, job: Job, question: Question): Promise<Ready> {
  const reply = await askOrFail(context, job, question)
  if (!reply) return { messages: [] }
  const how = { client: 'OutgoingWebhookResponse' }
  return { messages: [await composeReply(context, question.bot, question.message, reply, how)] }
}

async function answerOfCode(context: JobContext, job: Job, question: Question): Promise<Ready> {
  const { bot, message } = question
  await awaitEarlierRequests(context, job, bot.id)
  const { say, post, keep } = await answerOf(context, question)
  const client = 'Internal'
  const messages: NewMessage[] = []
  if (post) messages.push(await composePost(context, bot, post, { client }))
  if (say !== undefined) {
    messages.push(await composeReply(context, bot, message, { content: say }, { client }))
  }
  return { messages, keep }
}

async function askOrFail(context: JobContext, job: Job, question: Question) {
  try {
    return await askWebhook(context, question)
  } catch (error) {
    const isLast = job.attempts >= outgoingLimits.outgoingTries
    if (error instanceof TryLater && error.seconds === undefined && isLast) throw badRequest(error.message)
    throw error
  }
}

/** Returns the question to send, or undefined if it is obsolete. */
async function questionOf({ log, read, site }: JobContext, job: Job): Promise<Question | undefined> {
  const { state } = log
  const [row] = await read.rows<OutgoingRequestRow>(
    sql`SELECT * FROM outgoing_request WHERE realm_id = ${state.id} AND id = ${job.subject_id}`,
  )
  const bot = row && state.users.get(row.bot_id)
  const service = row && state.botServices.get(row.bot_id)
  if (!bot?.is_active || !service) return undefined
  const isAnswered = isEmbedded({ bot }) ? isServed(site, service.name) : service.base_url !== null
  if (!isAnswered) return undefined
  const [message] = await read.rows<MessageRow>(
    sql`SELECT ${messageColumns} FROM message m WHERE m.realm_id = ${state.id} AND m.id = ${row!.message_id}`,
  )
  if (!message || !mayRead(state, bot, message)) return undefined
  return { bot, service, message, trigger: row!.trigger }
}

function isEmbedded({ bot }: Pick<Question, 'bot'>) {
  return bot.bot_type === botTypes.embedded
}

async function finish(change: Change, job: Job): Promise<boolean> {
  if (!(await finishJob(change, job))) return false
  await change.deleteAll('outgoing_request', [{ id: job.subject_id }])
  return true
}

async function forgetOld(change: Change) {
  const old = change.now - outgoingLimits.outgoingKeptDays * 86_400
  await change.run(sql`
    DELETE FROM outgoing_request r WHERE realm_id = ${change.state.id} AND EXISTS (SELECT FROM job j
      WHERE j.realm_id = r.realm_id AND j.kind = 'outgoing' AND j.subject_id = r.id AND j.parked_at < ${old})`)
  await change.run(sql`
    DELETE FROM job WHERE realm_id = ${change.state.id} AND kind = 'outgoing' AND parked_at < ${old}`)
}

function failureText({ log, site }: JobContext, { bot, message }: Question, reason: string) {
  const link = `[A message](${messageUrl(realmUrl(site, log.state.row), log.state, message)})`
  const name = silentMention(bot)
  const what = isEmbedded({ bot })
    ? `${link} asked your bot ${name} for what it could not do`
    : `${link} could not be handed to the webhook of your bot ${name}`
  return `${what}:\n\n> ${reason}`
}
