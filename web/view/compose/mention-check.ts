import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { get } from '../../api/client.ts'
import { mentionedIn } from '../../lib/mentioned.ts'
import type { Conversation } from '../../lib/route.ts'
import { activeUsers } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import { onEvents } from '../../store/session.ts'

/** How many mentioned users are looked up. A text that mentions more warns of the first ones. */
const most = 10

type PeerEvent = { op?: string; stream_ids?: number[]; user_ids?: number[] }

/**
 * Finds out which of the users whom a text mentions would not hear of the message, as they are not subscribed. It reads
 * the text, because mentions are also typed by hand, pasted, and kept in drafts.
 */
export function createMentionCheck(conversation: () => Conversation, text: () => string) {
  /** For each user that was looked up, whether to warn. */
  const [answers, setAnswers] = createSignal<ReadonlyMap<number, boolean>>(new Map())
  let asked = new Set<number>()
  const channelId = createMemo(() => {
    const here = conversation()
    return 'userIds' in here ? 0 : here.channelId
  })
  const names = createMemo(() => (channelId() ? mentionedIn(text()).slice(0, most) : []), [], {
    equals: (a, b) => a.join('\n') === b.join('\n'),
  })
  const mentioned = createMemo(() => [...new Set(names().flatMap(usersNamed))])
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
    absent: () => mentioned().filter((userId) => answers().get(userId)),
    close: (userId: number) => answer(userId, false),
    forget,
  }
}

/** Returns undefined without an answer: the message can be sent all the same. */
async function askIfSubscribed(channel: number, userId: number): Promise<boolean | undefined> {
  const asked = get<{ is_subscribed: boolean }>(`/users/${userId}/subscriptions/${channel}`)
  return (await asked.catch(() => undefined))?.is_subscribed
}

/** The other people whom a mention names. Bots need no subscription, and a name of several people mentions none of them. */
function usersNamed(written: string): number[] {
  const [, name = written, id] = /^(.*)\|(\d+)$/.exec(written) ?? []
  const same = name.toLowerCase()
  const found = activeUsers().filter(
    ({ user_id, full_name }) =>
      (id === undefined || user_id === Number(id)) && (!name || full_name.toLowerCase() === same),
  )
  const [user, other] = found
  return user && !other && !user.is_bot && user.user_id !== currentState().user_id ? [user.user_id] : []
}
