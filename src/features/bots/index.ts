import { createBot } from './create-bot.ts'
import { deactivateBot } from './deactivate-bot.ts'
import { deleteStorage } from './delete-storage.ts'
import { getBots } from './get-bots.ts'
import { getStorage } from './get-storage.ts'
import { putStorage } from './put-storage.ts'
import { realmBotEvent } from './realm_bot.event.ts'
import { regenerateBotKey } from './regenerate-bot-key.ts'
import { updateBot } from './update-bot.ts'

/** The operations of this capability. */
export const endpoints = [
  createBot,
  deactivateBot,
  getBots,
  regenerateBotKey,
  updateBot,
  deleteStorage,
  getStorage,
  putStorage,
]

/** Its types of events. */
export const eventTypes = [realmBotEvent]
