import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { NavigationView } from '../kernel/navigation/navigation.ts'

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

  apply(state: ClientState, event: NavigationViewEvent) {
    const views: NavigationView[] | undefined = state.navigation_views
    if (!views) return
    if (event.op === 'add') {
      state.navigation_views = [...views, event.navigation_view].sort((a, b) =>
        a.fragment < b.fragment ? -1 : 1,
      )
      return
    }
    const others = views.filter((view) => view.fragment !== event.fragment)
    if (event.op === 'remove') state.navigation_views = others
    else for (const view of views) if (!others.includes(view)) Object.assign(view, event.data)
  },
} satisfies EventType<NavigationViewEvent>
