import { wantedService, writeService } from '../../features/bots/kernel/bots/bot-service.ts'
import { botLimits } from '../../features/bots/kernel/bots/limits.ts'
import { writeStorage } from '../../features/bots/kernel/bots/storage.ts'
import { addApiKey } from '../../features/bots/kernel/login/api-keys.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import type { Change } from '../../log/change.ts'
import type { ImportContext } from './import-context.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Context = Pick<ImportContext, 'change' | 'source' | 'people' | 'site'>

/** Gives active bots new keys, which their owners can read, and all bots their services and what they have stored. */
export async function addZulipBots({ change, source, people, site }: Context) {
  const services = groupBy(source.rows('zerver_service'), ({ user_profile }) => user_profile)
  const configs = groupBy(source.rows('zerver_botconfigdata'), ({ bot_profile }) => bot_profile)
  const stored = groupBy(source.rows('zerver_botstoragedata'), ({ bot_profile }) => bot_profile)
  for (const { id } of people.users.values()) {
    const bot = change.state.users.get(id)
    if (!bot || bot.bot_type === null) continue
    if (bot.is_active) await addApiKey(change, id, 'bot', site.secrets)
    const type = bot.bot_type
    const params = serviceParams(services.get(id)?.[0], valuesOf(configs.get(id)))
    const wanted = unlessRefused(() => wantedService(type, undefined, params, 'base_url'))
    if (!wanted && params.name) source.leftOut.add('ownTexts')
    await writeService(change, id, undefined, wanted)
    if (!(await store(change, id, valuesOf(stored.get(id))))) source.leftOut.add('ownTexts')
  }
}

type Value = { key: string; value: string }

/**
 * Returns the parameters of a bot's service. At Zulip, the integration of an incoming webhook is one of the options of its bot.
 */
function serviceParams(
  service: ZulipRow<'zerver_service'> | undefined,
  { integration_id: integration, ...config }: Record<string, string>,
) {
  const name = service?.name || integration
  return { url: service?.base_url ?? '', interface: service?.interface ?? 1, config, ...(name && { name }) }
}

function valuesOf(rows: readonly Value[] = []): Record<string, string> {
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Stores values of a bot. Returns false if they are too long. */
async function store(change: Change, botId: number, values: Record<string, string>): Promise<boolean> {
  const lengths = Object.entries(values).map(([key, value]) => key.length + value.length)
  const isLong = lengths.reduce((sum, length) => sum + length, 0) > botLimits.botStorageLength
  const isMany = lengths.length > botLimits.botStorageKeys
  if (isLong || isMany || Object.keys(values).some((key) => key.length > botLimits.botStorageKeyLength))
    return false
  if (lengths.length > 0) await writeStorage(change, botId, values)
  return true
}
