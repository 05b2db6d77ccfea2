import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { openDialog } from './dialog.tsx'
import { Dialog } from './dialog-panel.tsx'
import { TextInput } from './fields.tsx'
import { Form } from './form.tsx'

type Question = {
  title: string
  /** Says what will happen. */
  text: string | (() => JSX.Element)
  action: string
  /** A text that the user types before the action is possible, such as a name. */
  typed?: string
  /** Done after the question, which closes then, or earlier by `close`; a failure is shown in it. */
  run(close: () => void): unknown
}

/** Asks before something that cannot be undone, and shows why it was refused, if it was. */
export function askFirst(question: Question) {
  openDialog((close) => <ConfirmDialog {...question} close={close} />)
}

function ConfirmDialog(props: Question & { close(): void }) {
  const [typed, setTyped] = createSignal('')
  const run = async () => {
    await props.run(props.close)
    props.close()
  }
  return (
    <Dialog title={props.title} close={() => props.close()}>
      <Form
        submit={props.action}
        isDangerous
        isCancelFirst={!props.typed}
        isIncomplete={props.typed !== undefined && typed().trim() !== props.typed}
        close={props.close}
        run={run}
      >
        <div dir="auto">{typeof props.text === 'string' ? props.text : props.text()}</div>
        <Show when={props.typed}>
          {(wanted) => (
            <TextInput label={t('confirm.type', { text: wanted() })} value={typed()} set={setTyped} isFirst />
          )}
        </Show>
      </Form>
    </Dialog>
  )
}
