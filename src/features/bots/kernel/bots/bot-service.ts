import { z } from 'zod'
import { botTypes } from '../../../../db/bot-types.ts'
import type { AccountRow, BotServiceRow } from '../../../../db/schema.ts'
import { json, missing } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { must } from '../../../../lib/must.ts'
import { isLonger } from '../../../../lib/text/characters.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { embeddedBot } from '../embedded-bots/embedded-bots.ts'
import { integrations } from '../incoming-webhooks/integrations.ts'
import { newApiKey } from '../login/api-keys.ts'
import { botLimits } from './limits.ts'

/** The request formats of outgoing webhooks: our own, and that of Slack's outgoing webhooks. */
export const interfaces = { own: 1, slack: 2 } as const

/** The requested settings of a bot's service. Fields that are left out stay unchanged. */
type ServiceParams = {
  name?: string
  url?: string
  interface?: number
  config?: Record<string, string>
}

type Columns = Pick<BotServiceRow, 'name' | 'base_url' | 'interface' | 'token' | 'config'>

/**
 * Returns the row of a bot's service with the requested settings, or undefined if it has none. `urlName`: the name of
 * the URL's parameter.
 */
export function wantedService(
  botType: number,
  before: BotServiceRow | undefined,
  params: ServiceParams,
  urlName: string,
): Columns | undefined {
  if (botType === botTypes.outgoingWebhook) return outgoingService(before, params, urlName)
  if (botType === botTypes.incomingWebhook) return incomingService(before, params)
  if (botType === botTypes.embedded) return embeddedService(before, params)
  return undefined
}

function outgoingService(before: BotServiceRow | undefined, params: ServiceParams, urlName: string): Columns {
  const format = params.interface ?? before?.interface ?? interfaces.own
  if (format !== interfaces.own && format !== interfaces.slack) throw badRequest('Invalid interface type')
  return {
    name: before?.name ?? params.name ?? '',
    base_url: checkUrl(params.url ?? before?.base_url ?? '', urlName),
    interface: format,
    token: before?.token ?? newApiKey(),
    config: checkConfig(params.config ?? before?.config ?? {}),
  }
}

/**
 * Returns the columns of an incoming webhook's service. The bot may be set up for one integration, and then holds the
 * options of that integration.
 */
function incomingService(before: BotServiceRow | undefined, params: ServiceParams): Columns | undefined {
  const name = before?.name ?? params.name
  if (!name) {
    if (Object.keys(params.config ?? {}).length > 0) throw missing('service_name')
    return undefined
  }
  const integration = integrations.find((one) => one.name === name)
  if (!integration) throw badRequest(`Invalid integration '${name}'.`)
  const config = checkConfig(params.config ?? before?.config ?? {})
  const unknown = Object.keys(config).find((key) => !integration.configOptions.some((one) => one.key === key))
  if (unknown !== undefined) throw badRequest(`Invalid configuration parameter '${unknown}'.`)
  return { name, base_url: null, interface: null, token: null, config }
}

/**
 * Returns the columns of an embedded bot's service. Its kind never changes. Its owner may set some options, and options
 * that are not named stay unchanged.
 */
function embeddedService(before: BotServiceRow | undefined, params: ServiceParams): Columns | undefined {
  if (before && !params.config) return undefined
  const name = before?.name ?? params.name ?? ''
  const bot = embeddedBot(name)
  if (!bot) throw badRequest('Invalid embedded bot name.')
  const wanted = Object.entries(params.config ?? {})
  const unknown = wanted.find(([key]) => !Object.hasOwn(bot.config, key))
  if (unknown) throw badRequest(`Invalid configuration parameter '${unknown[0]}'.`)
  const blank = wanted.filter(([, value]) => value.trim() === '').map(([key]) => key)
  if (blank.length > 0) throw badRequest(`Missing configuration parameters: ${blank.join(', ')}`)
  const config = checkConfig({ ...bot.config, ...before?.config, ...params.config })
  return { name, base_url: null, interface: null, token: null, config }
}

/** Writes a bot's service if it differs from the existing one. Returns whether it differs. */
export async function writeService(
  change: Change,
  botId: number,
  before: BotServiceRow | undefined,
  wanted: Columns | undefined,
): Promise<boolean> {
  if (!wanted || (before && isSame(before, wanted))) return false
  if (before) await change.update('bot_service', { bot_id: botId, ...wanted })
  else await change.insert('bot_service', { bot_id: botId, ...wanted })
  return true
}

/** Returns the services of a bot as its owner and the administrators see them. */
export function servicesView(realm: RealmState, bot: Pick<AccountRow, 'id' | 'bot_type'>) {
  const service = realm.botServices.get(bot.id)
  if (!service || bot.bot_type === botTypes.incomingWebhook) return []
  if (bot.bot_type === botTypes.embedded) {
    return [{ service_name: service.name, config_data: service.config }]
  }
  return [
    {
      base_url: must(service.base_url, 'address of the bot'),
      interface: must(service.interface, 'interface of the bot'),
      token: must(service.token, 'token of the bot'),
    },
  ]
}

function isSame(before: BotServiceRow, wanted: Columns) {
  return Object.entries(wanted).every(
    ([name, value]) => JSON.stringify(before[name as keyof Columns]) === JSON.stringify(value),
  )
}

/** The URL of an outgoing webhook. wantedService checks it. */
export const webhookUrlParam = () =>
  json(z.string()).documentedAs({
    format: 'uri',
    maxLength: botLimits.webhookUrlLength,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+([/?#]\\S*)?$',
  })

function checkUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isGood = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isGood || isLonger(text, botLimits.webhookUrlLength)) throw badRequest(`${name} is not a URL`)
  return text
}

function checkConfig(config: Record<string, string>) {
  if (JSON.stringify(config).length > botLimits.botConfigLength) throw badRequest('config_data is too long')
  return config
}
