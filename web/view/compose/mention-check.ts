import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { channelWildcards, splitReference } from '../../../src/markdown/inlines/mention-syntax.ts'
import { mentionedNames } from '../../../src/markdown/mentioned-names.ts'
import { get } from '../../api/client.ts'
import type { Conversation } from '../../lib/route.ts'
import { activeUsers } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import { onEvents } from '../../store/session.ts'

/** How many mentioned users are looked up. A text that mentions more warns of the first ones. */
const most = 10

export type MentionCheck = ReturnType<typeof createMentionCheck>

type PeerEvent = { op?: string; stream_ids?: number[]; user_ids?: number[] }

/**
 * Finds out which of the users whom a text mentions would not hear of the message, as they are not subscribed. It reads
 * the text, because mentions are also typed by hand, pasted, and kept in drafts. `sent`: the text before an edit, whose mentions have
 * notified already.
 */
export function createMentionCheck(
  conversation: () => Conversation,
  text: () => string,
  sent: () => string = () => '',
) {
  /** For each user that was looked up, whether to warn. */
  const [answers, setAnswers] = createSignal<ReadonlyMap<number, boolean>>(new Map())
  let asked = new Set<number>()
  const channelId = createMemo(() => {
    const here = conversation()
    return 'userIds' in here ? 0 : here.channelId
  })
  const { mentioned, ...toAll } = createMentioned(() => (channelId() ? text() : ''), sent)
  const answer = (userId: number, isAbsent: boolean) =>
    setAnswers((all) => new Map(all).set(userId, isAbsent))

  async function ask(channel: number, userId: number) {
    const own = asked
    own.add(userId)
    const isSubscribed = await askIfSubscribed(channel, userId)
    // An event may have come first, which is newer.
    if (isSubscribed !== undefined && own === asked && !answers().has(userId)) answer(userId, !isSubscribed)
  }
  function forget() {
    asked = new Set()
    setAnswers(new Map())
  }
  // Events may have been missed when the state was registered anew.
  createEffect(on([channelId, () => field('queue_id')], forget))
  createEffect(() => {
    const channel = channelId()
    field('queue_id')
    for (const userId of mentioned()) if (!asked.has(userId)) void ask(channel, userId)
  })
  onCleanup(
    onEvents((events) => {
      for (const { op = '', stream_ids, user_ids } of events as PeerEvent[]) {
        if (!op.startsWith('peer_') || !stream_ids?.includes(channelId())) continue
        for (const id of mentioned()) if (user_ids?.includes(id)) answer(id, op === 'peer_remove')
      }
    }),
  )
  return {
    ...toAll,
    absent: () => mentioned().filter((userId) => answers().get(userId)),
    close: (userId: number) => answer(userId, false),
    forget,
  }
}

/** Whom a text mentions. */
function createMentioned(text: () => string, sent: () => string) {
  const names = createMemo(() => mentionedNames(text()), [], {
    equals: (a, b) => a.join('\n') === b.join('\n'),
  })
  const sentNames = createMemo(() => new Set(mentionedNames(sent())))
  const newNames = () => names().filter((name) => !sentNames().has(name))
  const isOfAll = (name: string) => channelWildcards.has(name)
  return {
    /** Whether it mentions all subscribers of the channel, and whether it has not before. */
    isToAll: () => names().some(isOfAll),
    isNewlyToAll: () => newNames().some(isOfAll),
    mentioned: createMemo(() => [...new Set(newNames().slice(0, most).flatMap(usersNamed))]),
  }
}

/** Returns undefined without an answer: the message can be sent all the same. */
async function askIfSubscribed(channel: number, userId: number): Promise<boolean | undefined> {
  const asked = get<{ is_subscribed: boolean }>(`/users/${userId}/subscriptions/${channel}`)
  return (await asked.catch(() => undefined))?.is_subscribed
}

/** The other people whom a mention names. Bots need no subscription, and a name of several people mentions none of them. */
function usersNamed(written: string): number[] {
  const { name, id } = splitReference(written)
  const same = name.toLowerCase()
  const found = activeUsers().filter(
    ({ user_id, full_name }) =>
      (id === undefined || user_id === id) && (!name || full_name.toLowerCase() === same),
  )
  const [user, other] = found
  return user && !other && !user.is_bot && user.user_id !== currentState().user_id ? [user.user_id] : []
}
