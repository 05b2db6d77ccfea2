import type { JSX } from 'solid-js'
import { ErrorText } from '../../parts/error-text.tsx'
import { hasTyped } from '../../parts/form.tsx'
import { useSubmission } from '../../parts/submission.ts'
import { useUnsaved } from '../../parts/unsaved.ts'

/** A form that creates something. If the server refuses, the fields keep their texts, and the reason stands below. */
export function AddForm(props: {
  submit: string
  run(): Promise<unknown>
  isIncomplete?: boolean
  /** Fields and button in one line. */
  isLine?: boolean
  /** Whether the form is secondary to another one beside it. */
  isSecond?: boolean
  children?: JSX.Element
}) {
  const { isBusy, error, run } = useSubmission()
  let form!: HTMLFormElement
  useUnsaved({ isChanged: () => hasTyped(form), isBeingSaved: isBusy })
  return (
    <form
      ref={form}
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
        // After a submission the fields are empty, and a disabled button would then lose the focus.
        aria-disabled={isBusy() || (props.isIncomplete ?? false)}
      >
        {props.submit}
      </button>
      <ErrorText error={error()} />
    </form>
  )
}
