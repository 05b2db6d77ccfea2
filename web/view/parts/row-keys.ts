import { onCleanup } from 'solid-js'
import { onActions } from '../../lib/actions.ts'
import { parseHash, type Route } from '../../lib/route.ts'

/** The actions of keys on the row that has the focus, by the address to which the row leads. */
type Acts = { markRead?(place: Route): void; mute?(place: Route): void }

/** The keys of lists of conversations: arrows and j, k move the focus, Enter opens as with any link. */
export function useRowKeys(list: () => HTMLElement | undefined, acts: Acts = {}) {
  const links = () => [...(list()?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])]
  const focused = () => links().find((link) => link === document.activeElement)

  function goTo(at: number) {
    const all = links()
    const next = all[Math.max(0, Math.min(at, all.length - 1))]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }

  function step(by: number) {
    const here = focused()
    goTo(here ? links().indexOf(here) + by : by > 0 ? 0 : links().length - 1)
  }

  /** The row goes away, so the one below it gets the focus. */
  function act(run: ((place: Route) => void) | undefined) {
    const here = focused()
    if (!here || !run) return false
    const at = links().indexOf(here)
    const place = parseHash(here.hash)
    if (links().length > 1) goTo(at === links().length - 1 ? at - 1 : at + 1)
    run(place)
    return true
  }

  onCleanup(
    onActions({
      next: () => step(1),
      previous: () => step(-1),
      page_down: () => step(10),
      page_up: () => step(-10),
      start: () => goTo(0),
      end: () => goTo(links().length - 1),
      edit: () => act(acts.markRead),
      mute_topic: () => act(acts.mute),
    }),
  )
}
