import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { errorMessage } from '../../lib/error-message.ts'
import { noticeFailure } from './notices.tsx'

/** The sending of a form. */
export type Submission = {
  isBusy: Accessor<boolean>
  /** Why the last attempt failed; gone with the next. Once the form is gone, a notice tells it. */
  error: Accessor<string | undefined>
  /** Sends, unless a request is under way. */
  run(send: () => Promise<unknown>): Promise<void>
}

/** Returns a function that says whether the component is still there, to be asked after a request. */
export function useIsHere(): () => boolean {
  let isHere = true
  onCleanup(() => {
    isHere = false
  })
  return () => isHere
}

/** Returns the function of a button: it runs once at a time, however often it is pressed. If it fails, a notice says why. */
export function usePress(act: () => unknown) {
  const [isBusy, setBusy] = createSignal(false)
  async function press() {
    if (isBusy()) return
    setBusy(true)
    try {
      await act()
    } catch (failure) {
      noticeFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, press: () => void press() }
}

/** Holds what the user types or chooses to send it. */
export function useTyped<T>(empty: T) {
  const [value, set] = createSignal(empty)
  return {
    value,
    set,
    /** Sends it, and puts `empty` in its place, unless the user has gone on with it meanwhile. */
    async send(request: (typed: T) => Promise<unknown>) {
      const sent = value()
      await request(sent)
      if (value() === sent) set(() => empty)
    },
  }
}

export function useSubmission(): Submission {
  const isHere = useIsHere()
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(false)
  async function run(send: () => Promise<unknown>) {
    if (isBusy()) return
    setBusy(true)
    setError(undefined)
    try {
      await send()
    } catch (failure) {
      if (isHere()) setError(errorMessage(failure))
      else noticeFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, run }
}
