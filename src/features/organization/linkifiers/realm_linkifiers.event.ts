import type { EventType } from '../../../queues/event-type.ts'
import type { LinkifierView } from '../../kernel/linkifiers/linkifiers.ts'
import { applyRealmLinkifiers } from './realm_linkifiers.apply.ts'

type RealmLinkifiersEvent = { type: 'realm_linkifiers'; realm_linkifiers: readonly LinkifierView[] }

export function linkifiersChanged(linkifiers: readonly LinkifierView[]): RealmLinkifiersEvent {
  return { type: 'realm_linkifiers', realm_linkifiers: linkifiers }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_linkifiers: RealmLinkifiersEvent
  }
}

/** All linkifiers, in order. Clients that do not support URL templates receive an empty list (level 176). */
export const realmLinkifiersEvent = {
  type: 'realm_linkifiers',

  variant(_event, { queue }) {
    return `${queue.options.capabilities.linkifier_url_template}`
  },

  wire(event, { queue }) {
    return queue.options.capabilities.linkifier_url_template ? event : { ...event, realm_linkifiers: [] }
  },

  apply: applyRealmLinkifiers,
} satisfies EventType<RealmLinkifiersEvent>
