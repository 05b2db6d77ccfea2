import type { AccountRow } from '../../../db/schema.ts'
import { must } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { systemBots } from '../settings/system-bots.ts'

/** Returns the bot that posts mails of people who may have no account. */
export function gatewayBot(realm: RealmState): AccountRow {
  return must(realm.userByEmail(systemBots.emailGateway.email), 'Email Gateway')
}

export function isGatewayBot({ is_system_bot, delivery_email }: AccountRow): boolean {
  return is_system_bot && delivery_email === systemBots.emailGateway.email
}
