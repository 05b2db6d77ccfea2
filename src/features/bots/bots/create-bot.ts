import { z } from 'zod'
import { botTypes } from '../../../db/bot-types.ts'
import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { dictionary } from '../../../http/collections.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { boolean, files, integer, json, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { realmHost } from '../../../lib/site.ts'
import { isEmail } from '../../../lib/text/email.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { checkMayCreate, defaultChannel, requirePossibleBotOwner } from '../../kernel/bots/access.ts'
import { checkMadeToday } from '../../kernel/users/made-today.ts'
import { drawerOf } from '../../organization/kernel/pictures/drawing-slots.ts'
import { withPictures } from '../../organization/kernel/pictures/store.ts'
import { drawBotAvatar, type NewAvatar } from '../../people/avatars/avatars.ts'
import { avatarLimits } from '../../people/avatars/limits.ts'
import { checkBotNameIsFree, checkFullName, fullNameParam } from '../../people/kernel/users/names.ts'
import { checkEmailIsFree } from '../../people/users/emails.ts'
import { interfaces, wantedService, webhookUrlParam, writeService } from '../kernel/bots/bot-service.ts'
import { botLimits } from '../kernel/bots/limits.ts'
import { addApiKey } from '../kernel/login/api-keys.ts'
import { botAvatar, defaultsView } from './bot-view.ts'
import { defaultsSchema } from './schemas.ts'

// The local part of an email address, without the ending -bot.
const botShortName = /^[\w.!#$%&'*+/=?^`{|}~-]{1,60}$/

const params = {
  full_name: fullNameParam(),
  short_name: text({ trim: true }).documentedAs({ minLength: 1, pattern: botShortName.source }),
  bot_type: integer()
    .documentedAs({ enum: Object.values(botTypes) })
    .default(botTypes.generic),
  payload_url: webhookUrlParam().optional(), // of an outgoing webhook
  service_name: text().optional(), // of an incoming webhook: its integration; of an embedded bot: its name
  config_data: json(dictionary(z.string())).optional(),
  interface_type: integer()
    .documentedAs({ enum: Object.values(interfaces) })
    .optional(), // 1 our own format, 2 Slack's
  default_sending_stream: text().default(''),
  default_events_register_stream: text().default(''),
  default_all_public_streams: boolean().default(false),
  files: files({ max: avatarLimits.avatarMib * 2 ** 20 }), // its avatar
}

type Context = CommandContext<typeof params>

export const createBot = command('POST /bots', {
  summary: 'Create a bot',
  creates: true,
  access: requirePossibleBotOwner,
  params,
  returns: {
    user_id: z.int(),
    api_key: z.string(),
    avatar_url: z.string().nullable(),
    ...defaultsSchema,
  },
  async handle(context) {
    const { realm, site, me, params, conclude } = context
    checkNewBot(context, realm, me)
    const avatar = await drawBotAvatar(drawerOf(context), params.files)
    const create = async (change: Change) => {
      const { state } = change
      const wanted = checkNewBot(context, state, state.users.require(me.id))
      const { bot, key } = await addBot(context, change, wanted, avatar)
      const avatar_url = botAvatar(state, site, bot)
      return { user_id: bot.id, api_key: key, avatar_url, ...defaultsView(state, bot) }
    }
    return withPictures(context, avatar?.pictures ?? {}, create, (work) => conclude(work, { isSecret: true }))
  },
})

/** Returns the columns of a new bot. Throws if the user may not create it. */
function checkNewBot({ site, params }: Context, realm: RealmState, me: AccountRow) {
  const { short_name, bot_type } = params
  if (short_name === '') throw badRequest('Bad name or username')
  const full_name = checkFullName(realm, params.full_name)
  const delivery_email = `${short_name}-bot@${realmHost(site, realm.row)}`
  if (!isEmail(delivery_email)) throw badRequest('Bad name or username')
  checkEmailIsFree(realm, site, delivery_email)
  checkBotNameIsFree(realm, full_name)
  checkMayCreate(realm, me, bot_type)
  checkBotsMadeToday(realm, me, site.clock())
  const known: number[] = Object.values(botTypes)
  if (!known.includes(bot_type)) throw badRequest('Invalid bot type')
  if (bot_type === botTypes.embedded && !site.embeddedBots) throw badRequest('Embedded bots are not enabled.')
  const account = {
    full_name,
    delivery_email,
    bot_type,
    bot_owner_id: me.id,
    default_sending_channel_id: defaultChannel(realm, me, params.default_sending_stream),
    default_events_channel_id: defaultChannel(realm, me, params.default_events_register_stream),
    default_all_public_channels: params.default_all_public_streams,
  }
  return { account, service: wantedService(bot_type, undefined, serviceParamsOf(params), 'payload_url') }
}

function checkBotsMadeToday(realm: RealmState, me: AccountRow, now: number) {
  const accounts = [...realm.users.values()]
  const bots = accounts.map(({ bot_owner_id, created_at }) => ({ creator_id: bot_owner_id, created_at }))
  checkMadeToday(realm, me, bots, { what: 'bots', most: botLimits.newBotsPerDay, more: 1, now })
}

function serviceParamsOf({
  service_name,
  short_name,
  payload_url,
  interface_type,
  config_data,
  ...rest
}: Context['params']) {
  const isCalledSo = rest.bot_type === botTypes.outgoingWebhook || rest.bot_type === botTypes.embedded
  const name = service_name ?? (isCalledSo ? short_name : undefined)
  return {
    ...(name !== undefined && { name }),
    ...(payload_url !== undefined && { url: payload_url }),
    ...(interface_type !== undefined && { interface: interface_type }),
    ...(config_data !== undefined && { config: config_data }),
  }
}

// A new bot is subscribed to no channel: only human users join the default channels.
async function addBot(
  { site }: Context,
  change: Change,
  { account, service }: ReturnType<typeof checkNewBot>,
  avatar: NewAvatar | undefined,
) {
  const picture = avatar ? { avatar_file: avatar.file, avatar_source: 'U' } : {}
  const row = { ...account, ...picture, role: roles.member, created_at: change.now }
  const bot = await change.insert('account', row)
  const key = await addApiKey(change, bot.id, 'bot', site.secrets)
  await writeService(change, bot.id, undefined, service)
  return { bot, key }
}
