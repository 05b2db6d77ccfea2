import type { TextKey } from '../../lib/i18n.ts'
import { type Action, isSingleKey, shortcuts, shownKey } from '../../lib/keys.ts'
import type { Route } from '../../lib/route.ts'
import { areSingleKeysOn } from '../../lib/single-keys.ts'
import { isResolved } from '../../store/channels.ts'
import { isFirstStart } from '../../store/home.ts'
import { conversationAt } from '../../store/places.ts'
import { field } from '../../store/server-state.ts'
import { mayResolve } from '../message/permissions.ts'

/** A sentence, and the actions whose keys it names. It is left out where one of them has no key. */
type Sentence = [text: TextKey, ...keysOf: Action[]]

/** A feature of a view that a user may not know. `step`: the name by which the API keeps that the user has seen it. */
export type Hint = {
  step: string
  says: readonly Sentence[]
  isAbout(place: Route): boolean
}

/** The first one that is about a view and that the user has not seen is shown there. */
const hints: readonly Hint[] = [
  {
    step: 'intro_inbox_view_modal',
    says: [['hints.inbox'], ['hints.inbox_keys', 'next', 'previous', 'edit']],
    isAbout: ({ view }) => view === 'inbox',
  },
  {
    step: 'intro_recent_view_modal',
    says: [['hints.recent']],
    isAbout: ({ view }) => view === 'recent',
  },
  {
    step: 'intro_resolve_topic',
    says: [['hints.resolved']],
    isAbout: (place) => isResolved(topicAt(place)?.topic ?? ''),
  },
  {
    step: 'non_interleaved_view_messages_fading',
    says: [
      ['hints.conversation', 'next', 'previous', 'reply'],
      ['hints.all_keys', 'help'],
    ],
    isAbout: (place) => conversationAt(place) !== undefined,
  },
  {
    step: 'intro_resolve_topic',
    says: [['hints.resolve']],
    isAbout(place) {
      const here = topicAt(place)
      // Messages without a topic cannot be resolved.
      return here !== undefined && here.topic !== '' && mayResolve(here.channelId)
    },
  },
  {
    step: 'interleaved_view_messages_fading',
    says: [['hints.feed'], ['hints.feed_keys', 'zoom']],
    isAbout: (place) => place.view === 'narrow' && conversationAt(place) === undefined,
  },
  {
    step: 'navigation_tour_video',
    says: [['hints.jump', 'jump']],
    isAbout: ({ view }) => view !== 'settings',
  },
]

/** The topic to which an address leads, if it leads to one. */
function topicAt(place: Route) {
  const conversation = conversationAt(place)
  return conversation && 'channelId' in conversation ? conversation : undefined
}

/** Returns what is to be shown beside a view, if anything. The first steps of an organization are enough to read. */
export function hintFor(place: Route): Hint | undefined {
  if (isFirstStart()) return undefined
  return hints.find(({ step, isAbout }) => isLeft(step) && isAbout(place))
}

/** Whether the user has not seen a step yet, in any client. */
export function isLeft(step: string): boolean {
  return field('onboarding_steps').some(({ name }) => name === step)
}

/** The steps of all hints that the user has not seen. */
export function stepsLeft(): string[] {
  return [...new Set(hints.map(({ step }) => step))].filter(isLeft)
}

/** The first key of an action that works in this browser, as the user may have turned off those of a single letter. */
export function keyOf(action: Action): string | undefined {
  const keys: readonly string[] = shortcuts.find((one) => one.action === action)?.keys ?? []
  const key = keys.find((one) => areSingleKeysOn() || !isSingleKey(one))
  return key && shownKey(key)
}
