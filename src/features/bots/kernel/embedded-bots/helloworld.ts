import type { EmbeddedBot } from './bot.ts'

/** Greets the sender. A bot for trying out. */
export const helloworld: EmbeddedBot = {
  name: 'helloworld',
  config: {},
  respond: ({ sender }) => ({
    say: `Hello, ${sender.mention}! I live in this server, and greet whoever speaks to me. It is all I can do.`,
  }),
}
