import type { JSX } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { ErrorText } from './error-text.tsx'
import { type Submission, useSubmission } from './submission.ts'

export type FormProps = {
  /** The name of the button that sends it. */
  submit: string
  isDangerous?: boolean | undefined
  isIncomplete?: boolean | undefined
  /** Why it cannot be sent. */
  refusal?: string | undefined
  close(): void
  children: JSX.Element
}

/** A form of a dialog with its buttons. What `run` throws stands below the fields, which keep their texts. */
export function Form(
  props: FormProps & {
    run(): Promise<unknown>
    class?: string
    /** Whether Cancel has the focus first, where a key pressed too often should do nothing. */
    isCancelFirst?: boolean | undefined
    /** A submission that another control beside the form starts too. */
    submission?: Submission
  },
) {
  const { isBusy, error, run } = props.submission ?? useSubmission()
  return (
    <form
      class={`panel-form ${props.class ?? ''}`}
      onSubmit={(event) => {
        event.preventDefault()
        void run(() => props.run())
      }}
    >
      {props.children}
      <ErrorText error={props.refusal ?? error()} />
      <div class="panel-actions">
        <button
          type="button"
          class="button"
          autofocus={props.isCancelFirst ?? false}
          onClick={() => props.close()}
        >
          {t('message.cancel')}
        </button>
        <button
          type="submit"
          class="button primary"
          classList={{ danger: props.isDangerous ?? false }}
          // A disabled button would lose the focus.
          aria-disabled={isBusy()}
          disabled={(props.isIncomplete ?? false) || props.refusal !== undefined}
        >
          {props.submit}
        </button>
      </div>
    </form>
  )
}
