import type { Site } from '../../../../lib/site.ts'
import type { EmbeddedBot } from './bot.ts'
import { converter } from './converter.ts'
import { followup } from './followup.ts'
import { helloworld } from './helloworld.ts'
import { notes } from './notes.ts'

/** All bots that the server has the code of. */
const embeddedBots: readonly EmbeddedBot[] = [converter, followup, helloworld, notes]

export function embeddedBot(name: string): EmbeddedBot | undefined {
  return embeddedBots.find((bot) => bot.name === name)
}

/** Whether this server answers for bots of this name. */
export function isServed(site: Site, name: string): boolean {
  return site.embeddedBots && embeddedBot(name) !== undefined
}

/** As clients are told of them: none, where nobody may make one. */
export function embeddedBotsView(site: Site) {
  return site.embeddedBots ? embeddedBots.map(({ name, config }) => ({ name, config })) : []
}
