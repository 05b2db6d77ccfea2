import { createBot } from './create-bot.ts'
import { deactivateBot } from './deactivate-bot.ts'
import { deleteStorage } from './delete-storage.ts'
import { getBots } from './get-bots.ts'
import { getStorage } from './get-storage.ts'
import { putStorage } from './put-storage.ts'
import { realmBotEvent } from './realm_bot.event.ts'
import { regenerateBotKey } from './regenerate-bot-key.ts'
import { updateBot } from './update-bot.ts'

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

export const eventTypes = [realmBotEvent]

export { consequences } from './consequences.ts'
