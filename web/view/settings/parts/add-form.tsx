import type { JSX } from 'solid-js'
import { ErrorText } from '../../parts/error-text.tsx'
import { useSubmission } from '../../parts/submission.ts'

/** A form that creates something. If the server refuses, the fields keep their texts, and the reason stands below. */
export function AddForm(props: {
  submit: string
  run(): Promise<unknown>
  isIncomplete?: boolean
  /** Fields and button in one line. */
  isLine?: boolean
  /** It stands beside another form that is more usual. */
  isSecond?: boolean
  children?: JSX.Element
}) {
  const { isBusy, error, run } = useSubmission()
  return (
    <form
      class="add-form"
      classList={{ line: props.isLine ?? false }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!props.isIncomplete) void run(() => props.run())
      }}
    >
      {props.children}
      <button
        type="submit"
        class="button"
        classList={{ primary: !props.isSecond }}
        // What it has sent leaves the fields empty; a disabled button would lose the focus then.
        aria-disabled={isBusy() || (props.isIncomplete ?? false)}
      >
        {props.submit}
      </button>
      <ErrorText error={error()} />
    </form>
  )
}
