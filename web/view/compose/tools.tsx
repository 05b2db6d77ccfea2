import { createSignal, Show } from 'solid-js'
import { patch } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { field } from '../../store/server-state.ts'
import { laterWithTexts } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { type MenuEntry, openMenu } from '../parts/menu.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { insertAtCursor } from './area.ts'
import { callProvider } from './call-provider.ts'
import type { Box } from './create-composer.ts'
import { FormatButtons } from './toolbar.tsx'

/** An icon that no other screen has. */
const microphone = 'M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3'

type Props = { box: Box; missing: string | undefined }

/** Shows the tools below the text. */
export function ComposeTools(props: Props) {
  /** Whether narrow screens show more than the tools of most messages. */
  const [hasAll, setAll] = createSignal(false)
  const type = (sign: string) => {
    const area = props.box.area()
    area.focus()
    const before = area.value[area.selectionStart - 1]
    insertAtCursor(area, before === undefined || /\s/.test(before) ? sign : ` ${sign}`)
  }
  const openSnippets = () =>
    laterWithTexts(
      () => import('./snippets.tsx'),
      ({ Snippets }, close) =>
        Snippets({ close, text: props.box.text(), insert: (text) => insertLater(props.box.area(), text) }),
    )
  return (
    <div class="compose-tools" classList={{ 'all-tools': hasAll() }}>
      <AttachButton box={props.box} />
      <ToolButton icon="smile" name={t('compose.emoji')} press={() => type(':')} />
      <ToolButton icon={microphone} name={t('compose.record')} press={() => record(props.box)} />
      <button
        type="button"
        class="icon-button more-tools"
        aria-expanded={hasAll()}
        title={t('compose.formats')}
        aria-label={t('compose.formats')}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setAll((has) => !has)}
      >
        <Icon name="more" />
      </button>
      <ToolButton icon="mention" name={t('compose.mention')} press={() => type('@')} isExtra />
      <FormatButtons area={props.box.area} isDisabled={props.box.isPreviewing()} />
      <ToolButton icon="snippet" name={t('snippets.title')} press={openSnippets} isExtra />
      <Show when={callProvider() !== undefined}>
        <CallButton box={props.box} />
      </Show>
      <PreviewButton box={props.box} />
      <Hindrance box={props.box} missing={props.missing} />
      <span class="send-buttons">
        <SendButton box={props.box} />
        <SendMenu box={props.box} />
      </span>
    </div>
  )
}

function record(box: Box) {
  laterWithTexts(
    () => import('./voice-recorder.tsx'),
    ({ VoiceRecorder }, close) => VoiceRecorder({ close, box }),
  )
}

function AttachButton(props: { box: Box }) {
  let picker!: HTMLInputElement
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={() => {
          if (picker.files) props.box.attachFiles(picker.files)
          picker.value = ''
        }}
      />
      <ToolButton icon="attach" name={t('compose.attach')} press={() => picker.click()} />
    </>
  )
}

function PreviewButton(props: { box: Box }) {
  return (
    <button
      type="button"
      class="icon-button extra-tool"
      aria-pressed={props.box.isPreviewing()}
      title={`${t('compose.preview')} (Alt+P)`}
      aria-label={t('compose.preview')}
      onClick={() => props.box.togglePreview()}
    >
      <Icon name="eye" />
    </button>
  )
}

function SendButton(props: { box: Box }) {
  const name = () => t(props.box.isWaiting() ? 'compose.uploading' : 'compose.send')
  return (
    <button
      type="submit"
      class="button primary"
      disabled={!props.box.maySend() || props.box.isWaiting()}
      aria-label={name()}
    >
      <Icon name="send" />
      <span class="send-word">{name()}</span>
    </button>
  )
}

/** Why the text cannot be sent as it is. */
function Hindrance(props: Props) {
  return (
    <span class="compose-state">
      <Show when={props.box.tooLong() > 0}>
        <span class="error-text" role="status">
          {t('compose.too_long', { count: props.box.tooLong() })}
        </span>
      </Show>
      <Show when={props.box.tooLong() <= 0 && props.box.text().trim() && props.missing}>{props.missing}</Show>
    </span>
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
  icon: IconName
  name: string
  press(): void
  /** Whether narrow screens show it on request only. */
  isExtra?: boolean
}) {
  return (
    <button
      type="button"
      class="icon-button"
      classList={{ 'extra-tool': props.isExtra ?? false }}
      title={props.name}
      aria-label={props.name}
      onClick={() => props.press()}
    >
      <Icon name={props.icon} />
    </button>
  )
}

function CallButton(props: { box: Box }) {
  return (
    <MenuButton
      icon="video"
      name={t('call.start')}
      class="icon-button extra-tool"
      entries={async () => (await import('./calls.ts')).callEntries(props.box)}
    />
  )
}

function SendMenu(props: { box: Box }) {
  const entersSend = () => field('user_settings')?.enter_sends ?? false
  const choose = (value: boolean) => void patch('/settings', { enter_sends: value }).catch(noticeFailure)
  const entries = async (): Promise<MenuEntry[]> => {
    const { scheduleEntries } = await import('./schedule.tsx')
    return [
      ...(props.box.maySend() && !props.box.isUploading() ? scheduleEntries(props.box) : []),
      'line',
      { label: t('compose.enter_sends'), isChecked: entersSend(), run: () => choose(true) },
      { label: t('compose.ctrl_enter_sends'), isChecked: !entersSend(), run: () => choose(false) },
    ]
  }
  return <MenuButton icon="down" name={t('compose.more')} class="button primary" entries={entries} />
}

/** A button that opens a menu, whose code is loaded when it is first needed. */
function MenuButton(props: { icon: IconName; name: string; class: string; entries(): Promise<MenuEntry[]> }) {
  return (
    <button
      type="button"
      class={props.class}
      aria-haspopup="menu"
      title={props.name}
      aria-label={props.name}
      onClick={({ currentTarget }) => openMenu(currentTarget, props.name, props.entries())}
    >
      <Icon name={props.icon} />
    </button>
  )
}
