import { sql } from 'kysely'
import type { MessageRow, OutgoingRequestRow } from '../../db/schema.ts'
import { finishJob, type Job, type JobContext, type JobHandler, parkJob, TryLater } from '../../jobs/job.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { realmUrl } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import { mayRead } from '../messages/access.ts'
import { addMessage } from '../messages/add-message.ts'
import { messageColumns } from '../messages/columns.ts'
import { messageUrl } from '../messages/message-url.ts'
import type { NewMessage } from '../messages/new-message.ts'
import { noticeTo } from '../messages/notify-people.ts'
import { channelDestination, composeMessage, directDestination } from '../messages/outgoing.ts'
import { messageText } from '../messages/text.ts'
import { topicParticipants } from '../messages/wildcards.ts'
import { silently } from '../users/names.ts'
import { askWebhook } from './ask-webhook.ts'
import type { Question } from './payload.ts'
import type { Reply } from './reply.ts'

/** How long what could not be handed over is kept for whoever runs the server, in seconds. */
const keptSeconds = 7 * 86_400

/**
 * Asks a bot's webhook about a message, and posts what it says as the bot's message in the same conversation. It is
 * asked at least once: again, if the server dies before the answer is written.
 */
export function outgoingDelivery(): JobHandler {
  const busy = new Map<string, number>()
  return {
    kind: 'outgoing',
    isSlow: true,

    async run(context, job) {
      const question = await questionOf(context, job)
      if (!question) return void (await context.log.commit((change) => finish(change, job)))
      const reply = await inTurn(busy, `${job.realm_id}:${question.bot.id}`, () =>
        askOrFail(context, job, question),
      )
      const message = reply && (await compose(context, job, question, reply))
      await context.log.commit(async (change) => {
        if (!(await finish(change, job)) || !message) return
        const bot = change.state.users.get(question.bot.id)
        if (bot?.is_active) await addMessage(change, bot, message)
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

/** A bot has only so many requests under way, so that a slow one leaves room for the others. */
async function inTurn<T>(busy: Map<string, number>, bot: string, work: () => Promise<T>): Promise<T> {
  const before = busy.get(bot) ?? 0
  if (before >= limits.outgoingAtOncePerBot) throw new TryLater('Others of this bot come first.', 1)
  busy.set(bot, before + 1)
  try {
    return await work()
  } finally {
    const left = busy.get(bot)! - 1
    if (left > 0) busy.set(bot, left)
    else busy.delete(bot)
  }
}

async function askOrFail(context: JobContext, job: Job, question: Question) {
  try {
    return await askWebhook(context, question)
  } catch (error) {
    const isLast = job.attempts >= limits.outgoingTries
    if (error instanceof TryLater && error.seconds === undefined && isLast) throw badRequest(error.message)
    throw error
  }
}

/** What is to be asked; undefined if nobody needs to know any more. */
async function questionOf({ log, read }: JobContext, job: Job): Promise<Question | undefined> {
  const { state } = log
  const [row] = await read.rows<OutgoingRequestRow>(
    sql`SELECT * FROM outgoing_request WHERE realm_id = ${state.id} AND id = ${job.subject_id}`,
  )
  const bot = row && state.users.get(row.bot_id)
  const service = row && state.botServices.get(row.bot_id)
  if (!bot?.is_active || !service?.base_url) return undefined
  const [message] = await read.rows<MessageRow>(
    sql`SELECT ${messageColumns} FROM message m WHERE m.realm_id = ${state.id} AND m.id = ${row!.message_id}`,
  )
  if (!message || !mayRead(state, bot, message)) return undefined
  return { bot, service, message, trigger: row!.trigger }
}

async function compose(
  { log, read, site }: JobContext,
  job: Job,
  { bot, message }: Question,
  { content, widget }: Reply,
): Promise<NewMessage> {
  const writer = { realm: log.state, site, me: bot }
  const { channel_id, user_ids } = log.state.recipients.get(message.recipient_id)!
  const destination = user_ids
    ? await directDestination(writer, user_ids, log.commit)
    : channelDestination(writer, channel_id!, message.topic)
  const text = messageText(content)
  return composeMessage(writer, destination, {
    content: text,
    participants: await topicParticipants(read, log.state, bot, destination, text),
    client: 'OutgoingWebhookResponse',
    readBySender: true,
    key: `outgoing:${job.subject_id}`,
    widget,
  })
}

async function finish(change: Change, job: Job): Promise<boolean> {
  if (!(await finishJob(change, job))) return false
  await change.deleteAll('outgoing_request', [{ id: job.subject_id }])
  return true
}

async function forgetOld(change: Change) {
  const old = change.now - keptSeconds
  await change.run(sql`
    DELETE FROM outgoing_request r WHERE realm_id = ${change.state.id} AND EXISTS (SELECT FROM job j
      WHERE j.realm_id = r.realm_id AND j.kind = 'outgoing' AND j.subject_id = r.id AND j.parked_at < ${old})`)
  await change.run(sql`
    DELETE FROM job WHERE realm_id = ${change.state.id} AND kind = 'outgoing' AND parked_at < ${old}`)
}

function failureText({ log, site }: JobContext, { bot, message }: Question, reason: string) {
  const url = messageUrl(realmUrl(site, log.state.realm), log.state, message)
  return `[A message](${url}) could not be handed to the webhook of your bot ${silently(bot)}:\n\n> ${reason}`
}
