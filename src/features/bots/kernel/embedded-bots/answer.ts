import type { AccountRow, BotServiceRow, MessageRow } from '../../../../db/schema.ts'
import type { JobContext } from '../../../../jobs/job.ts'
import { must } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import { silentMention } from '../../../people/kernel/users/names.ts'
import { deleteStored, findStored, writeStorage } from '../bots/storage.ts'
import type { Answer } from './bot.ts'
import { embeddedBot } from './embedded-bots.ts'

type Question = { bot: AccountRow; service: BotServiceRow; message: MessageRow }

/** Returns the reply of a bot's code to a message. */
export async function answerOf(
  { log: { state }, read }: JobContext,
  { bot, service, message }: Question,
): Promise<Answer> {
  const kind = must(embeddedBot(service.name), `embedded bot ${service.name}`)
  const sender = state.users.require(message.sender_id)
  return kind.respond({
    text: withoutMentions(message.content, bot),
    sender: { id: sender.id, name: sender.full_name, mention: silentMention(sender) },
    config: { ...kind.config, ...service.config },
    stored: (prefix) => findStored(read, state.id, bot.id, prefix),
  })
}

/** Stores the values that a reply asks to keep, as part of a change. */
export async function keepValues(change: Change, botId: number, values: NonNullable<Answer['keep']>) {
  const kept = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null)
  const dropped = Object.keys(values).filter((key) => values[key] === null)
  if (kept.length > 0) await writeStorage(change, botId, Object.fromEntries(kept))
  if (dropped.length > 0) await deleteStored(change, botId, dropped)
}

function withoutMentions(content: string, { id, full_name }: AccountRow): string {
  const name = full_name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const mention = new RegExp(`@\\*\\*(?:${name}(?:\\|${id})?|\\|${id})\\*\\*[,:]? ?`, 'gi')
  return content.replace(mention, '').trim()
}
