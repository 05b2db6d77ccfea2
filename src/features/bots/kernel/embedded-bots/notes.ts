import { botLimits } from '../bots/limits.ts'
import { markdownQuote } from '../incoming-webhooks/markdown.ts'
import type { Answer, BotQuestion, EmbeddedBot } from './bot.ts'
import { noteLimits } from './limits.ts'

/** Keeps notes, separately for each user. */
export const notes: EmbeddedBot = {
  name: 'notes',
  config: {},
  async respond(asked) {
    const [, order = '', name = '', text = ''] =
      /^(save|show|list|delete)(?:\s+([\p{L}\p{N}._-]{1,40}))?(?:\s+(.+))?$/isu.exec(asked.text) ?? []
    const known = await asked.stored(prefixOf(asked))
    const said = [order.toLowerCase(), name && 'name', text && 'text'].filter(Boolean)
    switch (said.join(' ')) {
      case 'list':
        return list(asked, known)
      case 'save name text':
        return save(asked, known, name, text)
      case 'show name':
        return show(asked, known, name)
      case 'delete name':
        return remove(asked, known, name)
      default:
        return { say: help }
    }
  },
}

type Known = Record<string, string>

function list(asked: BotQuestion, known: Known): Answer {
  const names = Object.keys(known).map((key) => `- \`${key.slice(prefixOf(asked).length)}\``)
  return { say: names.length > 0 ? `Your notes:\n\n${names.join('\n')}` : 'You have no notes.' }
}

async function save(asked: BotQuestion, known: Known, name: string, text: string): Promise<Answer> {
  const key = keyOf(asked, name)
  if (text.length > noteLimits.noteLength)
    return { say: `A note has at most ${noteLimits.noteLength} characters.` }
  if (known[key] === undefined && Object.keys(known).length >= noteLimits.notesPerPerson) {
    return { say: `You have ${noteLimits.notesPerPerson} notes already: delete one first.` }
  }
  const everything = Object.entries(await asked.stored('')).filter(([other]) => other !== key)
  const used = everything.reduce((sum, [other, value]) => sum + other.length + value.length, 0)
  if (used + key.length + text.length > botLimits.botStorageLength)
    return { say: 'I have no room for it left.' }
  return { say: 'I keep it.', keep: { [key]: text } }
}

function show(asked: BotQuestion, known: Known, name: string): Answer {
  const text = known[keyOf(asked, name)]
  // The words are the sender's and not the bot's. A quotation of them alerts no user.
  return { say: text === undefined ? none : markdownQuote(text) }
}

function remove(asked: BotQuestion, known: Known, name: string): Answer {
  const key = keyOf(asked, name)
  return known[key] === undefined ? { say: none } : { say: 'It is gone.', keep: { [key]: null } }
}

function prefixOf({ sender }: BotQuestion) {
  return `note ${sender.id} `
}

function keyOf(asked: BotQuestion, name: string) {
  return prefixOf(asked) + name.toLowerCase()
}

const none = 'You have no note of that name.'

const help = `I keep notes, for each of you their own; my owner can read them.

- \`save NAME TEXT\` keeps a note, in place of one with that name
- \`show NAME\`, \`list\`, \`delete NAME\``
