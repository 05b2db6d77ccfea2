import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import { dictionary } from '../../../http/collections.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { boolean, files, integer, json, pathInteger, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { must } from '../../../lib/must.ts'
import type { Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { defaultChannel, ownBot, requirePossibleBotOwner } from '../../kernel/bots/access.ts'
import { apiEmail } from '../../kernel/users/user-view.ts'
import { drawerOf } from '../../organization/kernel/pictures/drawing-slots.ts'
import { withPictures } from '../../organization/kernel/pictures/store.ts'
import { drawBotAvatar, forgetAvatar, type NewAvatar, setAvatar } from '../../people/avatars/avatars.ts'
import { avatarLimits } from '../../people/avatars/limits.ts'
import { checkBotNameIsFree, checkFullName, fullNameParam } from '../../people/kernel/users/names.ts'
import { changeParams, checkRole } from '../../people/users/change-user.ts'
import { interfaces, wantedService, webhookUrlParam, writeService } from '../kernel/bots/bot-service.ts'
import { botAvatar, defaultsView } from './bot-view.ts'
import { defaultsSchema } from './schemas.ts'

const params = {
  bot_id: pathInteger(),
  full_name: fullNameParam().optional(),
  role: changeParams.role,
  bot_owner_id: integer().optional(),
  config_data: json(dictionary(z.string())).optional(),
  service_payload_url: webhookUrlParam().optional(),
  service_interface: integer()
    .documentedAs({ enum: Object.values(interfaces) })
    .optional(),
  default_sending_stream: text().optional(),
  default_events_register_stream: text().optional(),
  default_all_public_streams: boolean().optional(),
  files: files({ max: avatarLimits.avatarMib * 2 ** 20 }), // its avatar
}

type Context = CommandContext<typeof params>

export const updateBot = command('PATCH /bots/{bot_id}', {
  summary: 'Update a bot',
  access: requirePossibleBotOwner,
  params,
  returns: {
    full_name: z.string(),
    avatar_url: z.string().nullable(),
    service_interface: z.int(),
    service_payload_url: z.string().nullable(), // null, like the one below, if the request did not contain it
    config_data: z.record(z.string(), z.string()).nullable(),
    ...defaultsSchema,
    bot_owner: z.string().optional(),
  },
  async handle(context) {
    const { realm, site, me, params, adapters } = context
    checkChanges(context, realm, me)
    const avatar = await drawBotAvatar(drawerOf(context), params.files)
    const oldAvatar = await withPictures(context, avatar?.pictures ?? {}, (change) =>
      changeBot(context, change, avatar),
    )
    await forgetAvatar(adapters.files, realm.id, oldAvatar)
    return answerFor(realm, site, realm.users.require(params.bot_id), params)
  },
})

/** Changes the bot. Returns the file of the replaced avatar, if any. */
async function changeBot(
  context: Context,
  change: Change,
  avatar: NewAvatar | undefined,
): Promise<string | null> {
  const { me } = context
  const { state } = change
  const { before, columns, service } = checkChanges(context, state, state.users.require(me.id))
  await writeService(change, before.id, state.botServices.get(before.id), service)
  if (Object.keys(columns).length > 0) {
    await change.update('account', { id: before.id, ...columns })
  }
  return avatar ? setAvatar(change, before.id, avatar.file) : null
}

/** Returns the changed columns. Throws if any change is invalid. */
function checkChanges({ params }: Context, realm: RealmState, me: AccountRow) {
  const before = ownBot(realm, me, params.bot_id)
  const { full_name, role, bot_owner_id, default_all_public_streams } = params
  const wanted: Partial<AccountRow> = {}
  if (full_name !== undefined) wanted.full_name = checkFullName(realm, full_name, before.id)
  if (wanted.full_name !== undefined && wanted.full_name !== before.full_name) {
    checkBotNameIsFree(realm, wanted.full_name)
  }
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
  const service = wantedService(
    must(before.bot_type, 'type of the bot'),
    realm.botServices.get(before.id),
    serviceParamsOf(params),
    'service_payload_url',
  )
  return { before, columns: Object.fromEntries(changed) as Partial<AccountRow>, service }
}

function serviceParamsOf({
  service_payload_url: url,
  service_interface,
  config_data: config,
}: Context['params']) {
  return {
    ...(url !== undefined && { url }),
    ...(service_interface !== undefined && { interface: service_interface }),
    ...(config !== undefined && { config }),
  }
}

function newOwner(realm: RealmState, id: number): AccountRow {
  const owner = realm.users.get(id)
  if (!owner || owner.is_system_bot) throw badRequest('Failed to change owner, no such user')
  if (!owner.is_active) throw badRequest('Failed to change owner, user is deactivated')
  if (owner.bot_type !== null) throw badRequest("Failed to change owner, bots can't own other bots")
  return owner
}

function answerFor(realm: RealmState, site: Site, bot: AccountRow, params: Context['params']) {
  const owner = bot.bot_owner_id === null ? undefined : realm.users.get(bot.bot_owner_id)
  return {
    full_name: bot.full_name,
    avatar_url: botAvatar(realm, site, bot),
    service_interface: realm.botServices.get(bot.id)?.interface ?? interfaces.own,
    service_payload_url: params.service_payload_url ?? null,
    config_data: params.config_data ?? null,
    ...defaultsView(realm, bot),
    ...(owner && { bot_owner: apiEmail(realm, site, owner) }),
  }
}
