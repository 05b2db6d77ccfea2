import { z } from 'zod'
import type { AccountRow } from '../../db/schema.ts'
import { roles } from '../../http/access.ts'
import { type CommandContext, command } from '../../http/endpoint.ts'
import { boolean, integer, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { realmHost } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { tellOfSystemGroups } from '../groups/system-groups.ts'
import { addApiKey } from '../login/api-keys.ts'
import { checkEmailIsFree, isEmail } from '../users/emails.ts'
import { checkFullName } from '../users/names.ts'
import { userAdded } from '../users/realm_user.event.ts'
import { botTypes, checkMayCreate, defaultChannel, keeper } from './access.ts'
import { botAudience, botAvatar, botView, defaultsView } from './bot-view.ts'
import { botAdded, type FreshKey } from './realm_bot.event.ts'
import { defaultsSchema } from './schemas.ts'

const params = {
  full_name: text(),
  short_name: text({ trim: true }),
  bot_type: integer().default(botTypes.generic),
  default_sending_stream: text().default(''),
  default_events_register_stream: text().default(''),
  default_all_public_streams: boolean().default(false),
}

type Context = CommandContext<typeof params>

export const createBot = command('POST /bots', {
  summary: 'Create a bot of one’s own: one that does what people can, or one that only sends messages',
  access: keeper,
  params,
  returns: {
    user_id: z.int(),
    api_key: z.string(),
    avatar_url: z.string().nullable(),
    ...defaultsSchema,
  },
  async handle(context) {
    const { realm, site, me, commit } = context
    checkNewBot(context, realm, me)
    const { bot, key } = await commit((change) => {
      const { state } = change
      return addBot(context, change, checkNewBot(context, state, state.users.get(me.id)!))
    })
    return {
      user_id: bot.id,
      api_key: key,
      avatar_url: botAvatar(realm, site, bot),
      ...defaultsView(realm, bot),
    }
  },
})

/** What a new bot is made of; throws if I may not make it. */
function checkNewBot({ site, params }: Context, realm: RealmState, me: AccountRow) {
  const { short_name, bot_type } = params
  if (short_name === '') throw badRequest('Bad name or username')
  const full_name = checkFullName(realm, params.full_name)
  const delivery_email = `${short_name}-bot@${realmHost(site, realm.realm)}`
  if (!isEmail(delivery_email)) throw badRequest('Bad name or username')
  checkEmailIsFree(realm, site, delivery_email)
  checkMayCreate(realm, me, bot_type)
  const known: number[] = Object.values(botTypes)
  if (!known.includes(bot_type)) throw badRequest('Invalid bot type')
  return {
    full_name,
    delivery_email,
    bot_type,
    bot_owner_id: me.id,
    default_sending_channel_id: defaultChannel(realm, me, params.default_sending_stream),
    default_events_channel_id: defaultChannel(realm, me, params.default_events_register_stream),
    default_all_public_channels: params.default_all_public_streams,
  }
}

// A bot begins in no channel: only people join the default ones.
async function addBot({ site }: Context, change: Change, columns: Partial<AccountRow>) {
  const { state } = change
  const bot = await change.insert('account', { ...columns, role: roles.member, created_at: change.now })
  const key = await addApiKey(change, bot.id, 'bot')
  change.emit(userAdded(state, site, bot), { everyone: true })
  tellOfSystemGroups(change, null, bot)
  const fresh: FreshKey = { key }
  change.emit(botAdded(botView(state, site, bot)), botAudience(state, bot), fresh)
  return { bot, key }
}
