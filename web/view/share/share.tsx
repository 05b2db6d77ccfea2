import './share.css'
import { For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { replaceRoute } from '../../lib/router.ts'
import { readShared, type Shared } from '../../lib/shared.ts'
import { type NewConversation, nowhere, setBeginning } from '../../store/composing.ts'
import { addToDraft } from '../../store/drafts.ts'
import { openDialog } from '../parts/dialog.tsx'
import { Dialog } from '../parts/dialog-panel.tsx'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'

/**
 * Asks the user where content from another application should go. Nothing leaves the browser before the user has
 * chosen.
 */
export async function share() {
  try {
    await (await import('../../lib/more-texts.ts')).loadMoreTexts()
    const { forget, ...shared } = await readShared()
    replaceRoute({ view: 'inbox' })
    if (!shared.text && shared.files.length === 0) return
    const write = (kind: NewConversation['kind']) => {
      if (shared.text) addToDraft(nowhere, shared.text)
      setBeginning({ kind, conversation: nowhere, files: shared.files })
      void forget()
    }
    openDialog((close) => (
      <ShareDialog shared={shared} close={close} write={write} discard={() => void forget()} />
    ))
  } catch (error) {
    noticeFailure(error)
  }
}

/** Shows the shared content. Closing the dialog keeps it for the next time. */
function ShareDialog(props: {
  shared: Shared
  close(): void
  write(kind: NewConversation['kind']): void
  discard(): void
}) {
  const and = (act: () => void) => () => {
    props.close()
    act()
  }
  return (
    <Dialog title={t('share.title')} close={props.close} class="share">
      <Show when={props.shared.text}>
        <p class="share-text" dir="auto">
          {props.shared.text}
        </p>
      </Show>
      <Show when={props.shared.files.length > 0}>
        <ul class="share-files">
          <For each={props.shared.files}>
            {({ name }) => (
              <li>
                <Icon name="attach" /> <span dir="auto">{name}</span>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <div class="panel-actions">
        <button type="button" class="button" onClick={and(props.discard)}>
          {t('share.discard')}
        </button>
        <button type="button" class="button" onClick={and(() => props.write('direct'))}>
          {t('share.to_people')}
        </button>
        <button type="button" class="button primary" autofocus onClick={and(() => props.write('topic'))}>
          {t('share.to_channel')}
        </button>
      </div>
    </Dialog>
  )
}
