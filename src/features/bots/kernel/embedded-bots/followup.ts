import { must } from '../../../../lib/must.ts'
import { markdownQuote } from '../incoming-webhooks/markdown.ts'
import type { EmbeddedBot } from './bot.ts'

/** Posts tasks in a channel of its owner's choice, in one topic per sender. */
export const followup: EmbeddedBot = {
  name: 'followup',
  config: { stream: 'followup' },
  respond({ text, sender, config }) {
    const order = /^remember[:,]?\s+(.+)/is.exec(text)
    if (!order) return { say: help }
    // The words are the sender's and not the bot's. A quotation of them alerts no user.
    const content = `${sender.mention}:\n${markdownQuote(order[1] ?? '')}`
    return {
      say: 'I have put it down.',
      post: { channel: must(config.stream, 'channel in the configuration'), topic: sender.name, content },
    }
  },
}

const help = `Say \`remember\` and what there is to remember, and I put it down: in the channel that my owner has chosen, in a topic with your name.`
