import type { EmbeddedBot } from './bot.ts'

/** Greets the sender. A bot for trying out. */
export const helloworld: EmbeddedBot = {
  name: 'helloworld',
  config: {},
  respond: ({ sender }) => ({
    say: `Hello, ${sender.mention}! I am a bot that greets everyone who writes to me. That is all I can do.`,
  }),
}
