import { Show } from 'solid-js'
import { patch } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { field } from '../../store/server-state.ts'
import { openDialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { openMenu } from '../parts/menu.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { insertAtCursor } from './area.ts'
import { FormatButtons } from './toolbar.tsx'

type Props = {
  area(): HTMLTextAreaElement
  conversation: Conversation
  text: string
  /** By how many characters the text is too long. */
  tooLong: number
  missing: string | undefined
  maySend: boolean
  /** Whether it goes out when the files have arrived. */
  isWaiting: boolean
  isPreviewing: boolean
  togglePreview(): void
  attach(files: FileList): void
  cleared(): void
}

/** What stands below the text. */
export function ComposeTools(props: Props) {
  let picker!: HTMLInputElement
  const type = (sign: string) => {
    const area = props.area()
    area.focus()
    const before = area.value[area.selectionStart - 1]
    insertAtCursor(area, before === undefined || /\s/.test(before) ? sign : ` ${sign}`)
  }
  const openSnippets = () =>
    void import('./snippets.tsx').then(({ Snippets }) =>
      openDialog((close) =>
        Snippets({ close, text: props.text, insert: (text) => insertLater(props.area(), text) }),
      ),
    )
  return (
    <div class="compose-tools">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={() => {
          if (picker.files) props.attach(picker.files)
          picker.value = ''
        }}
      />
      <ToolButton icon="attach" name={t('compose.attach')} press={() => picker.click()} />
      <ToolButton icon="smile" name={t('compose.emoji')} press={() => type(':')} />
      <ToolButton icon="mention" name={t('compose.mention')} press={() => type('@')} />
      <FormatButtons area={props.area} isDisabled={props.isPreviewing} />
      <ToolButton icon="snippet" name={t('snippets.title')} press={openSnippets} />
      <button
        type="button"
        class="icon-button"
        aria-pressed={props.isPreviewing}
        title={`${t('compose.preview')} (Alt+P)`}
        aria-label={t('compose.preview')}
        onClick={() => props.togglePreview()}
      >
        <Icon name="eye" />
      </button>
      <span class="compose-state">
        <Show when={props.tooLong > 0}>
          <span class="error-text" role="status">
            {t('compose.too_long', { count: props.tooLong })}
          </span>
        </Show>
        <Show when={props.tooLong <= 0 && props.text.trim() && props.missing}>{props.missing}</Show>
      </span>
      <span class="send-buttons">
        <button type="submit" class="button primary" disabled={!props.maySend || props.isWaiting}>
          <Icon name="send" />
          <span class="send-word">{t(props.isWaiting ? 'compose.uploading' : 'compose.send')}</span>
        </button>
        <SendMenu {...props} />
      </span>
    </div>
  )
}

/** The dialog gives the focus back first. */
function insertLater(area: HTMLTextAreaElement, text: string) {
  setTimeout(() => {
    area.focus()
    insertAtCursor(area, text)
  })
}

function ToolButton(props: {
  icon: 'attach' | 'smile' | 'mention' | 'snippet'
  name: string
  press(): void
}) {
  return (
    <button
      type="button"
      class="icon-button"
      title={props.name}
      aria-label={props.name}
      onClick={() => props.press()}
    >
      <Icon name={props.icon} />
    </button>
  )
}

function SendMenu(props: Props) {
  const entersSend = () => field('user_settings')?.enter_sends ?? false
  const choose = (value: boolean) => void patch('/settings', { enter_sends: value }).catch(noticeFailure)
  const open = async (anchor: Element) => {
    const { scheduleEntries } = await import('./schedule.tsx')
    openMenu(anchor, t('compose.more'), [
      ...(props.maySend ? scheduleEntries(props.conversation, props.text.trim(), props.cleared) : []),
      'line',
      { label: t('compose.enter_sends'), isChecked: entersSend(), run: () => choose(true) },
      { label: t('compose.ctrl_enter_sends'), isChecked: !entersSend(), run: () => choose(false) },
    ])
  }
  return (
    <button
      type="button"
      class="button primary"
      aria-haspopup="menu"
      title={t('compose.more')}
      aria-label={t('compose.more')}
      onClick={(event) => void open(event.currentTarget)}
    >
      <Icon name="down" />
    </button>
  )
}
