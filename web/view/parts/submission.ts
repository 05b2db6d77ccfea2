import { type Accessor, createSignal } from 'solid-js'
import { errorMessage } from '../../lib/error-message.ts'

/** The sending of a form. */
export type Submission = {
  isBusy: Accessor<boolean>
  /** Why the last attempt failed; gone with the next. */
  error: Accessor<string | undefined>
  /** Sends, unless a request is under way. */
  run(send: () => Promise<unknown>): Promise<void>
}

export function useSubmission(): Submission {
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(false)
  async function run(send: () => Promise<unknown>) {
    if (isBusy()) return
    setBusy(true)
    setError(undefined)
    try {
      await send()
    } catch (failure) {
      setError(errorMessage(failure))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, run }
}
