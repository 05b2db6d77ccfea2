import { Show } from 'solid-js'
import { errorMessage } from '../../lib/error-message.ts'

/** What went wrong, if something did; screen readers say it as soon as it is there. */
export function ErrorText(props: { error: unknown }) {
  return (
    <Show when={props.error}>
      {(error) => (
        <p class="error-text" role="alert">
          {errorMessage(error())}
        </p>
      )}
    </Show>
  )
}
