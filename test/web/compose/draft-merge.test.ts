import { expect, test } from 'vitest'
import { conversationOfDraft, type LiveDrafts, mergeDrafts } from '../../../web/lib/draft-merge.ts'

const icons = { channelId: 5, topic: 'Icons' }
const logos = { channelId: 5, topic: 'Logos' }
const onServer = (id: number, { channelId, topic }: typeof icons, content: string) => {
  return { id, type: 'stream' as const, to: [channelId], topic, content, timestamp: 1_700_000_000 }
}

/** Two texts whose drafts the server has made, with the ids 1 and 2. */
const live: LiveDrafts = {
  '5:icons': text(icons, 1, 'Too round'),
  '5:logos': text(logos, 2, 'Too large'),
}

function text(conversation: typeof icons, id: number, content: string) {
  const place = `5:${conversation.topic.toLowerCase()}`
  return { conversation, content, at: 1_700_000_000, id, base: content, place, isRestored: false }
}

const merge = (server: ReturnType<typeof onServer>[], unheard: number[]) =>
  mergeDrafts(live, server, {
    conversationOf: (draft) => conversationOfDraft(draft, 9),
    isEcho: () => false,
    isUnheard: (id) => unheard.includes(id),
  })

test('a text stays while the event of its new draft is on its way, and that of another has come', () => {
  expect(merge([onServer(1, icons, 'Too round')], [2])).toEqual(live)
})

test('a text goes whose draft was deleted elsewhere', () => {
  expect(Object.keys(merge([onServer(1, icons, 'Too round')], []))).toEqual(['5:icons'])
})
