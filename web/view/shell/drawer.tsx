import { createEffect, createRoot, createSignal, on, onCleanup, Show, untrack } from 'solid-js'
import { onAction } from '../../lib/actions.ts'
import { route } from '../../lib/router.ts'
import { topDialog } from '../parts/dialog.tsx'
import { focusFirst, wayBack } from '../parts/focus.ts'

// On narrow screens, the list of views is a drawer over the view.

const [isDrawerOpen, setOpen] = createRoot(() => createSignal(false))
let back: Element[] = []

export { isDrawerOpen }

const rail = () => document.querySelector('.rail')

export function openDrawer() {
  back = wayBack()
  setOpen(true)
  rail()?.querySelector<HTMLElement>('a, button')?.focus()
}

export function closeDrawer() {
  if (!untrack(isDrawerOpen)) return
  const hasFocus = rail()?.contains(document.activeElement)
  setOpen(false)
  if (hasFocus) focusFirst(back)
}

/** Lets Escape close the drawer, and closes it where it has led to another view or to a dialog. */
export function useDrawer() {
  createEffect(on([route, topDialog], closeDrawer, { defer: true }))
  createEffect(() => {
    if (isDrawerOpen()) onCleanup(onAction('escape', closeDrawer))
  })
}

/** Covers the page beside the drawer. A click there closes the drawer. */
export function DrawerShade() {
  return (
    <Show when={isDrawerOpen()}>
      <div class="rail-shade" onClick={closeDrawer} aria-hidden="true" />
    </Show>
  )
}
