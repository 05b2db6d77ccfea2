import { createSignal, type JSX, Show } from 'solid-js'

/** A form that creates something. If the server refuses, the fields keep their texts, and the reason stands below. */
export function AddForm(props: {
  submit: string
  run(): Promise<unknown>
  isIncomplete?: boolean
  /** Fields and button in one line. */
  isLine?: boolean
  children: JSX.Element
}) {
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(false)
  return (
    <form
      class="add-form"
      classList={{ line: props.isLine ?? false }}
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        setError(undefined)
        props
          .run()
          .catch((failure: Error) => setError(failure.message))
          .finally(() => setBusy(false))
      }}
    >
      {props.children}
      <button type="submit" class="button primary" disabled={isBusy() || (props.isIncomplete ?? false)}>
        {props.submit}
      </button>
      <Show when={error()}>
        {(text) => (
          <p class="error-text" role="alert">
            {text()}
          </p>
        )}
      </Show>
    </form>
  )
}
