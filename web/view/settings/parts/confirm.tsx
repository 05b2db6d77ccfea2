import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { Dialog, openDialog } from '../../parts/dialog.tsx'

type Question = {
  title: string
  /** Says what will happen. */
  text: JSX.Element
  action: string
  /** A text that the user types before the action is possible, such as a name. */
  typed?: string
  /** Done after the question; a failure is shown in the dialog, which stays open. */
  run(): Promise<unknown>
}

/** Asks before something that cannot be undone, and shows why it was refused, if it was. */
export function askFirst(question: Question) {
  openDialog((close) => <ConfirmDialog {...question} close={close} />)
}

function ConfirmDialog(props: Question & { close(): void }) {
  const [typed, setTyped] = createSignal('')
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(false)
  async function act() {
    setBusy(true)
    setError(undefined)
    try {
      await props.run()
      props.close()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    }
    setBusy(false)
  }
  return (
    <Dialog title={props.title} close={() => props.close()}>
      <form
        class="panel-form"
        onSubmit={(event) => {
          event.preventDefault()
          void act()
        }}
      >
        <div dir="auto">{props.text}</div>
        <Show when={props.typed}>
          {(wanted) => (
            <label>
              {t('confirm.type', { text: wanted() })}
              <input
                class="field"
                autocomplete="off"
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
          )}
        </Show>
        <Show when={error()}>
          {(text) => (
            <p class="error-text" role="alert">
              {text()}
            </p>
          )}
        </Show>
        <div class="panel-actions">
          <button type="button" class="button" autofocus={!props.typed} onClick={() => props.close()}>
            {t('message.cancel')}
          </button>
          <button
            type="submit"
            class="button danger"
            disabled={isBusy() || (props.typed !== undefined && typed().trim() !== props.typed)}
          >
            {props.action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
