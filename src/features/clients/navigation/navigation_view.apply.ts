import type { ClientState } from '../../../queues/client-state.ts'

type View = { fragment: string }
type ViewEvent =
  | { op: 'add'; navigation_view: View }
  | { op: 'update'; fragment: string; data: object }
  | { op: 'remove'; fragment: string }

export function applyNavigationView(state: ClientState, event: ViewEvent) {
  const views: View[] | undefined = state.navigation_views
  if (!views) return
  if (event.op === 'add') {
    state.navigation_views = [...views, event.navigation_view].sort((a, b) =>
      a.fragment < b.fragment ? -1 : 1,
    )
  }
  if (event.op === 'update') {
    for (const view of views) if (view.fragment === event.fragment) Object.assign(view, event.data)
  }
  if (event.op === 'remove') {
    state.navigation_views = views.filter(({ fragment }) => fragment !== event.fragment)
  }
}
