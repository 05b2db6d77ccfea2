import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'
import { errorMessage } from '../../../lib/error-message.ts'
import { onEvents } from '../../../store/session.ts'

/** Something of the server that the state lacks: read when the screen opens, and again when an event tells of a change. */
type Fetched<T> = {
  value: Accessor<T | undefined>
  /** Why it could not be read, if so. */
  error: Accessor<string | undefined>
  /** Reads it again. */
  refresh(): Promise<void>
}

export function useFetched<T>(load: () => Promise<T>, events: readonly string[] = []): Fetched<T> {
  const [value, setValue] = createSignal<T>()
  const [error, setError] = createSignal<string>()
  let last = 0
  async function refresh() {
    // An earlier request may be answered later. Only the last one counts.
    const own = ++last
    try {
      const found = await load()
      if (own !== last) return
      setValue(() => found)
      setError(undefined)
    } catch (failure) {
      if (own === last) setError(errorMessage(failure))
    }
  }
  onMount(() => void refresh())
  onCleanup(
    onEvents((all) => {
      if (all.some(({ type }) => events.includes(type))) void refresh()
    }),
  )
  return { value, error, refresh }
}
