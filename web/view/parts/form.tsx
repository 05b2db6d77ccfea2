import type { JSX } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { ErrorText } from './error-text.tsx'
import { type Submission, useSubmission } from './submission.ts'
import { useUnsaved } from './unsaved.ts'

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
  let form!: HTMLFormElement
  // A question closes as it opened, unless a text was typed into it.
  const isChanged = () => (props.isDangerous ? hasTyped(form) : isFilled(form))
  useUnsaved({ isChanged, isBeingSaved: isBusy })
  return (
    <form
      ref={form}
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

/** Whether a form has something that the user has typed. A browser that fills in a password has typed nothing. */
export const hasTyped = (form: HTMLFormElement) => isFilled(form, ':not(select, [type=checkbox], :autofill)')

/** Whether a form has something that the user has typed or chosen. */
function isFilled(form: HTMLFormElement, kind = '') {
  // A list of people has no value.
  const changed = form.querySelectorAll<HTMLInputElement>(`[data-changed]${kind}`)
  return [...changed].some(({ value }) => value !== '')
}
