import type { Term } from '../lib/route.ts'
import type { Message } from './messages.ts'

// The matches of searches. They belong to a search and not to a message, which other views show as well.

/** How many searches are kept. */
const kept = 10

/** `source`: the message's content and topic when it was found. */
type Match = { content: string; topic: string; source: Pick<Message, 'content' | 'subject'> }

const found = new Map<string, Map<number, Match>>()

/** Keeps the marked contents and topics of results. */
export function putMatches(
  terms: Term[],
  messages: (Message & { match_content?: string; match_subject?: string })[],
) {
  if (!hasWords(terms)) return
  const key = JSON.stringify(terms)
  const matches = found.get(key) ?? new Map<number, Match>()
  for (const { id, match_content, match_subject = '', content, subject } of messages) {
    const source = { content, subject }
    if (match_content) matches.set(id, { content: match_content, topic: match_subject, source })
  }
  found.set(key, matches)
  const [oldest] = found.keys()
  if (found.size > kept && oldest !== undefined) found.delete(oldest)
}

/** The content of a message, as HTML with the words of a search marked; undefined if it was edited since. */
export function matchedContent(terms: Term[], message: Message): string | undefined {
  const match = matchIn(terms, message)
  return match?.source.content === message.content ? match.content : undefined
}

/** Returns the topic with its matches marked; undefined if the message was moved since. */
export function matchedTopic(terms: Term[], message: Message): string | undefined {
  const match = matchIn(terms, message)
  return match?.source.subject === message.subject ? match.topic : undefined
}

function matchIn(terms: Term[], { id }: Message) {
  return hasWords(terms) ? found.get(JSON.stringify(terms))?.get(id) : undefined
}

function hasWords(terms: Term[]) {
  return terms.some(({ operator }) => operator === 'search')
}
