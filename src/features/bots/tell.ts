import type { AccountRow } from '../../db/schema.ts'
import type { Change } from '../../log/change.ts'
import { botAudience } from './bot-view.ts'
import { botUpdated } from './realm_bot.event.ts'

/** Tells a bot's owner and the administrators what has changed of it. Of a person, there is nothing to tell here. */
export function tellOfBot(change: Change, user: AccountRow, changes: Parameters<typeof botUpdated>[1]) {
  if (user.bot_type === null) return
  change.emit(botUpdated(user.id, changes), botAudience(change.state, user))
}

/** The same of a new API key, or of one that has ended. */
export function tellOfKey(change: Change, user: AccountRow) {
  tellOfBot(change, user, { api_key: '' })
}
