import type { EventType } from '../../../queues/event-type.ts'
import { type CustomEmojiView, customEmojiOf } from '../../kernel/emoji/custom-emoji.ts'
import { applyRealmEmoji } from './realm_emoji.apply.ts'

type RealmEmojiEvent = { type: 'realm_emoji'; op: 'update' }
type OnWire = RealmEmojiEvent & { realm_emoji: Record<string, CustomEmojiView> }

export function customEmojiChanged(): RealmEmojiEvent {
  return { type: 'realm_emoji', op: 'update' }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_emoji: RealmEmojiEvent
  }
}

/**
 * The organization's emoji have changed. Clients receive all of them as they are when the event is delivered. The log
 * does not store the list with every change.
 */
export const realmEmojiEvent = {
  type: 'realm_emoji',

  wire(event, { state }): OnWire {
    return { ...event, realm_emoji: customEmojiOf(state) }
  },

  apply: applyRealmEmoji,
} satisfies EventType<RealmEmojiEvent, unknown, OnWire>
