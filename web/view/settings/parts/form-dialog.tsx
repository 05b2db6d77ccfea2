import './list.css'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { Dialog } from '../../parts/dialog.tsx'

/** A dialog in which something is made or changed. What the server says against it stands below, and the fields stay. */
export function FormDialog(props: {
  title: string
  /** The name of the button that sends it. */
  action: string
  isDangerous?: boolean
  isIncomplete?: boolean
  send(): Promise<unknown>
  close(): void
  children: JSX.Element
}) {
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(false)
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy()) return
    setBusy(true)
    setError(undefined)
    try {
      await props.send()
      props.close()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={props.title} close={props.close}>
      <form class="set-form" onSubmit={(event) => void submit(event)}>
        {props.children}
        <Show when={error()}>
          {(text) => (
            <p class="error-text" role="alert">
              {text()}
            </p>
          )}
        </Show>
        <div class="panel-actions">
          <button type="button" class="button" onClick={() => props.close()}>
            {t('message.cancel')}
          </button>
          <button
            type="submit"
            class={`button ${props.isDangerous ? 'danger' : 'primary'}`}
            disabled={isBusy() || (props.isIncomplete ?? false)}
          >
            {props.action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
