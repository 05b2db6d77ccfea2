import type { Site } from '../../../../lib/site.ts'
import type { EmbeddedBot } from './bot.ts'
import { converter } from './converter.ts'
import { followup } from './followup.ts'
import { helloworld } from './helloworld.ts'
import { notes } from './notes.ts'

/** All bots whose code is part of the server. */
const embeddedBots: readonly EmbeddedBot[] = [converter, followup, helloworld, notes]

export function embeddedBot(name: string): EmbeddedBot | undefined {
  return embeddedBots.find((bot) => bot.name === name)
}

/** Returns whether this server runs bots of this name. */
export function isServed(site: Site, name: string): boolean {
  return site.embeddedBots && embeddedBot(name) !== undefined
}

/** Returns the embedded bots for clients: none if users may not create any. */
export function embeddedBotsView(site: Site) {
  return site.embeddedBots ? embeddedBots.map(({ name, config }) => ({ name, config })) : []
}
