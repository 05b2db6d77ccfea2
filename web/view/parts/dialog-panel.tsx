import { type JSX, onCleanup } from 'solid-js'
import { guardRoute } from '../../lib/router.ts'
import { askBeforeLoss } from './confirm.tsx'
import { Panel } from './panel.tsx'
import { type Change, Unsaved, wouldLose } from './unsaved.ts'

/** A modal dialog that asks before it discards what the user has typed. A click beside it keeps that. */
export function Dialog(props: { title: string; close(): void; class?: string; children: JSX.Element }) {
  const unsaved = new Set<Change>()
  const asks = askBeforeLoss(unsaved)
  // Another view closes the dialog.
  onCleanup(guardRoute(asks))
  return (
    <Panel
      title={props.title}
      class={props.class}
      close={() => asks(props.close) || props.close()}
      isHeld={() => wouldLose(unsaved)}
    >
      <Unsaved.Provider value={unsaved}>{props.children}</Unsaved.Provider>
    </Panel>
  )
}
