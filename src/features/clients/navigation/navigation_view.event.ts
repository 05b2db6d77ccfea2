import type { EventType } from '../../../queues/event-type.ts'
import type { NavigationView } from '../kernel/navigation/navigation.ts'
import { applyNavigationView } from './navigation_view.apply.ts'

type NavigationViewEvent = { type: 'navigation_view' } & (
  | { op: 'add'; navigation_view: NavigationView }
  | { op: 'update'; fragment: string; data: { name?: string; is_pinned?: boolean } }
  | { op: 'remove'; fragment: string }
)

export function viewAdded(view: NavigationView): NavigationViewEvent {
  return { type: 'navigation_view', op: 'add', navigation_view: view }
}

export function viewUpdated(
  fragment: string,
  data: { name?: string; is_pinned?: boolean },
): NavigationViewEvent {
  return { type: 'navigation_view', op: 'update', fragment, data }
}

export function viewRemoved(fragment: string): NavigationViewEvent {
  return { type: 'navigation_view', op: 'remove', fragment }
}

declare module '../../../log/entry.ts' {
  interface Events {
    navigation_view: NavigationViewEvent
  }
}

export const navigationViewEvent = {
  type: 'navigation_view',

  apply: applyNavigationView,
} satisfies EventType<NavigationViewEvent>
