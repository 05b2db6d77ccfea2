import { createContext, onCleanup, useContext } from 'solid-js'

/** `isChanged`: whether the user has changed something that is not saved. `isBeingSaved`: whether all of it is on its way to the server. */
export type Change = { isChanged(): boolean; isBeingSaved(): boolean }

/** The unsaved changes of a dialog or a view, which asks before it discards them. */
export const Unsaved = createContext<Set<Change>>()

/** Tells the dialog or view around of something that the user can change. */
export function useUnsaved(change: Change) {
  const all = useContext(Unsaved)
  all?.add(change)
  onCleanup(() => all?.delete(change))
}

/** Whether changes are lost when their controls go. One that is being saved is not: if that fails, a notice tells it. */
export function wouldLose(changes: Iterable<Change>): boolean {
  return [...changes].some((one) => one.isChanged() && !one.isBeingSaved())
}
