import { z } from 'zod'
import type { AccountRow } from '../../db/schema.ts'
import { type CommandContext, command } from '../../http/endpoint.ts'
import { boolean, integer, pathInteger, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { administratorIds } from '../users/change-settings.ts'
import { changeParams, checkRole, tellOfRole } from '../users/change-user.ts'
import { checkFullName } from '../users/names.ts'
import { userUpdated } from '../users/realm_user.event.ts'
import { apiEmail } from '../users/user-view.ts'
import { defaultChannel, keeper, ownBot } from './access.ts'
import { botAvatar, botView, defaultsView } from './bot-view.ts'
import { botAdded, botLeft, botUpdated, noKey } from './realm_bot.event.ts'
import { defaultsSchema } from './schemas.ts'
import { tellOfBot } from './tell.ts'

const params = {
  bot_id: pathInteger(),
  full_name: text().optional(),
  role: changeParams.role,
  bot_owner_id: integer().optional(),
  default_sending_stream: text().optional(),
  default_events_register_stream: text().optional(),
  default_all_public_streams: boolean().optional(),
}

type Context = CommandContext<typeof params>

export const updateBot = command('PATCH /bots/{bot_id}', {
  summary: "Change a bot's name, role, owner or defaults",
  access: keeper,
  params,
  returns: {
    full_name: z.string(),
    avatar_url: z.string().nullable(),
    service_interface: z.int(),
    service_payload_url: z.null(),
    config_data: z.null(),
    ...defaultsSchema,
    bot_owner: z.string().optional(),
  },
  async handle(context) {
    const { realm, site, me, params, commit } = context
    checkChanges(context, realm, me)
    await commit(async (change) => {
      const { state } = change
      const { before, columns } = checkChanges(context, state, state.users.get(me.id)!)
      if (Object.keys(columns).length === 0) return
      const after = await change.update('account', { id: before.id, ...columns })
      tell(change, site, before, after)
    })
    return answerFor(realm, site, realm.users.get(params.bot_id)!)
  },
})

/** The columns that differ from what they were, all or nothing. */
function checkChanges({ params }: Context, realm: RealmState, me: AccountRow) {
  const before = ownBot(realm, me, params.bot_id)
  const { full_name, role, bot_owner_id, default_all_public_streams } = params
  const wanted: Partial<AccountRow> = {}
  if (full_name !== undefined) wanted.full_name = checkFullName(realm, full_name, before.id)
  if (role !== undefined && role !== before.role) {
    checkRole(realm, me, before, role)
    wanted.role = role
  }
  if (bot_owner_id !== undefined && bot_owner_id !== before.bot_owner_id) {
    wanted.bot_owner_id = newOwner(realm, bot_owner_id).id
  }
  const { default_sending_stream: sending, default_events_register_stream: events } = params
  if (sending !== undefined) wanted.default_sending_channel_id = defaultChannel(realm, me, sending)
  if (events !== undefined) wanted.default_events_channel_id = defaultChannel(realm, me, events)
  if (default_all_public_streams !== undefined) {
    wanted.default_all_public_channels = default_all_public_streams
  }
  const changed = Object.entries(wanted).filter(([name, value]) => before[name as keyof AccountRow] !== value)
  return { before, columns: Object.fromEntries(changed) as Partial<AccountRow> }
}

function newOwner(realm: RealmState, id: number): AccountRow {
  const owner = realm.users.get(id)
  if (!owner || owner.is_system_bot) throw badRequest('Failed to change owner, no such user')
  if (!owner.is_active) throw badRequest('Failed to change owner, user is deactivated')
  if (owner.bot_type !== null) throw badRequest("Failed to change owner, bots can't own other bots")
  return owner
}

function tell(change: Change, site: Site, before: AccountRow, after: AccountRow) {
  const { state } = change
  const { id } = after
  if (after.full_name !== before.full_name) {
    change.emit(userUpdated(id, { full_name: after.full_name }), { everyone: true })
    tellOfBot(change, before, { full_name: after.full_name })
  }
  if (after.role !== before.role) tellOfRole(change, before, after)
  if (after.bot_owner_id !== before.bot_owner_id) tellOfOwner(change, site, before, after)
  const was = Object.entries(defaultsView(state, before))
  for (const [index, [name, value]] of Object.entries(defaultsView(state, after)).entries()) {
    if (value !== was[index]![1]) tellOfBot(change, after, { [name]: value })
  }
}

// Administrators know of the bot before and after; the two owners, only if it is theirs.
function tellOfOwner(change: Change, site: Site, before: AccountRow, after: AccountRow) {
  const { state } = change
  const { id, bot_owner_id: owner } = after
  const administrators = administratorIds(state)
  const others = (userId: number | null) =>
    userId === null || administrators.includes(userId) ? [] : [userId]
  const emit = (event: Parameters<Change['emit']>[0], users: number[]) => {
    if (users.length > 0) change.emit(event, { users }, noKey)
  }
  emit(botLeft(id), others(before.bot_owner_id))
  emit(botAdded(botView(state, site, after)), others(owner))
  emit(botUpdated(id, { owner_id: owner }), administrators)
  change.emit(userUpdated(id, { bot_owner_id: owner! }), { everyone: true })
}

function answerFor(realm: RealmState, site: Site, bot: AccountRow) {
  const owner = bot.bot_owner_id === null ? undefined : realm.users.get(bot.bot_owner_id)
  return {
    full_name: bot.full_name,
    avatar_url: botAvatar(realm, site, bot),
    // No bot has an outgoing service.
    service_interface: 1,
    service_payload_url: null,
    config_data: null,
    ...defaultsView(realm, bot),
    ...(owner && { bot_owner: apiEmail(realm, site, owner) }),
  }
}
