import { botTypes } from '../../../db/bot-types.ts'
import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import type { Site } from '../../../lib/site.ts'
import type { Consequence, RowChanges } from '../../../log/consequences.ts'
import { administratorIds } from '../../people/kernel/users/administrators.ts'
import { userUpdated } from '../../people/kernel/users/realm_user.event.ts'
import { servicesView } from '../kernel/bots/bot-service.ts'
import { botAudience, botAvatar, botsFor, botView, defaultsView } from './bot-view.ts'
import { botAdded, botLeft, botUpdated } from './realm_bot.event.ts'

type Changes = Parameters<typeof botUpdated>[1]

/** Events for a bot's owner and the administrators. */
export const consequences = (site: Site): Consequence[] => [
  {
    of: ['account'],
    emit(rowChanges) {
      const { change, after: state, rows } = rowChanges
      for (const { before, after } of rows('account')) {
        if (before && after?.is_active && isAdministrator(before) !== isAdministrator(after)) {
          emitToChangedAdministrator(rowChanges, site, before, after)
        }
        if (!after || after.bot_type === null) continue
        if (before) emitUpdates(rowChanges, site, before, after)
        else change.emit(botAdded(botView(state, site, after)), botAudience(state, after))
      }
    },
  },
  {
    of: ['bot_service'],
    emit(rowChanges) {
      const { after: state, rows } = rowChanges
      for (const { after } of rows('bot_service')) {
        const bot = after && existingBot(rowChanges, after.bot_id)
        // The settings of an incoming webhook's service are not shown to any user.
        if (!bot || bot.bot_type === botTypes.incomingWebhook) continue
        emitTo(rowChanges, bot, { services: servicesView(state, bot) })
      }
    },
  },
  {
    of: ['api_key'],
    emit(rowChanges) {
      const ids = rowChanges
        .rows('api_key')
        .flatMap(({ before, after }) => (before && after ? [] : (after ?? before).user_id))
      for (const id of new Set(ids)) {
        const bot = existingBot(rowChanges, id)
        if (bot) emitTo(rowChanges, bot, newKey)
      }
    },
  },
]

/** Each client gets the key that is current when it fetches the event. See realm_bot.event.ts. */
const newKey = { api_key: '' }

/**
 * Returns the bot with this id unless the same change creates it. In that case its first event contains everything.
 */
function existingBot({ before, after }: RowChanges, id: number): AccountRow | undefined {
  const user = before.users.get(id)
  return user && user.bot_type !== null ? after.users.get(id) : undefined
}

function emitTo({ change, before }: RowChanges, bot: AccountRow, changes: Changes) {
  change.emit(botUpdated(bot.id, changes), botAudience(before, bot))
}

function emitUpdates(rowChanges: RowChanges, site: Site, before: AccountRow, after: AccountRow) {
  const { after: state } = rowChanges
  const update = (changes: Changes) => emitTo(rowChanges, after, changes)
  // A new owner must know the bot before anything else happens to it.
  if (after.bot_owner_id !== before.bot_owner_id) emitNewOwner(rowChanges, site, before, after)
  if (after.avatar_version !== before.avatar_version) update({ avatar_url: botAvatar(state, site, after) })
  if (after.full_name !== before.full_name) update({ full_name: after.full_name })
  if (after.is_active !== before.is_active) update({ is_active: after.is_active })
  // Administrators may have the key of a bot unless the bot is an owner.
  if ((before.role === roles.owner) !== (after.role === roles.owner)) update(newKey)
  const was = Object.entries(defaultsView(state, before))
  for (const [index, [name, value]] of Object.entries(defaultsView(state, after)).entries()) {
    if (value !== was[index]?.[1]) update({ [name]: value })
  }
}

/** Administrators know all bots, other users only their own. */
function emitToChangedAdministrator(
  { change, before: earlier, after: state }: RowChanges,
  site: Site,
  before: AccountRow,
  after: AccountRow,
) {
  const users = [after.id]
  const known = new Set(botsFor(earlier, before).map(({ id }) => id))
  const bots = botsFor(state, after)
  for (const bot of bots) if (!known.has(bot.id)) change.emit(botAdded(botView(state, site, bot)), { users })
  for (const { id } of bots) known.delete(id)
  for (const id of known) change.emit(botLeft(id), { users })
}

// Administrators know the bot before and after. The two owners know it only while they own it.
function emitNewOwner(rowChanges: RowChanges, site: Site, before: AccountRow, after: AccountRow) {
  const { change, after: state } = rowChanges
  const { id, bot_owner_id: owner } = after
  const administrators = administratorIds(state)
  const unlessAdministrator = (userId: number | null) =>
    userId === null || administrators.includes(userId) ? [] : [userId]
  const emit = (event: Parameters<typeof change.emit>[0], users: number[]) => {
    if (users.length > 0) change.emit(event, { users })
  }
  emit(botLeft(id), unlessAdministrator(before.bot_owner_id))
  emit(botAdded(botView(state, site, after)), unlessAdministrator(owner))
  emit(botUpdated(id, { owner_id: owner }), administrators)
  change.emit(userUpdated(id, { bot_owner_id: owner }), { everyone: true })
}
