import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Guard } from '../../lib/router.ts'
import { loadWithTexts } from '../../lib/with-texts.ts'
import { openDialog, topDialog } from './dialog.tsx'
import { TextInput } from './fields.tsx'
import { Form } from './form.tsx'
import { noticeFailure } from './notices.tsx'
import { Panel } from './panel.tsx'
import { type Change, wouldLose } from './unsaved.ts'

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

/** Returns a function that asks before changes are discarded by `leave`, and returns whether it asks: if any would be lost. */
export function askBeforeLoss(unsaved: Set<Change>): Guard {
  return (leave) => {
    if (!wouldLose(unsaved)) return false
    askToDiscard(() => {
      unsaved.clear()
      leave()
    })
    return true
  }
}

function askToDiscard(leave: () => void) {
  const from = topDialog()
  const question = () => ({
    title: t('settings.discard'),
    text: t('settings.unsaved'),
    action: t('draft.discard'),
    run(close: () => void) {
      close()
      leave()
    },
  })
  // The user may have asked twice, or closed it meanwhile.
  const ask = () => topDialog() === from && from?.ariaLabel !== question().title && askFirst(question())
  // The key that leads away, Escape, would close a dialog that opens while it is pressed.
  loadWithTexts(async () => {}).then(() => setTimeout(ask), noticeFailure)
}

function ConfirmDialog(props: Question & { close(): void }) {
  const [typed, setTyped] = createSignal('')
  const run = async () => {
    await props.run(props.close)
    props.close()
  }
  return (
    <Panel title={props.title} close={() => props.close()}>
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
    </Panel>
  )
}
