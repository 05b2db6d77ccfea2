import { createEffect, createSignal, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { onInsert } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey, termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { newLine } from '../../lib/text-edit.ts'
import { nowhere } from '../../store/composing.ts'
import { draftTo, writeDraft } from '../../store/drafts.ts'
import { sendMessage } from '../../store/outbox.ts'
import { currentState, field } from '../../store/server-state.ts'
import { tellStopped, tellTyping } from '../../store/typing.ts'
import { uploadsTo } from '../../store/uploads.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { applyEdit, insertAtCursor, isReplacing, selectedIn } from './area.ts'
import { DraftNote } from './draft-note.tsx'
import { attach, Uploads, useDrops } from './files.tsx'
import { notePasteKey, paste } from './paste.ts'
import { mayNotSend } from './permission.ts'
import { Preview } from './preview.tsx'
import { applyFormat, formatOfKey } from './toolbar.tsx'
import { ComposeTools } from './tools.tsx'
import { createTypeahead, Suggestions } from './typeahead.tsx'
import { createMentionCheck, Warnings } from './warnings.tsx'

type Props = {
  conversation: Conversation
  isReply: boolean
  /** What stands above the text, such as fields for a new conversation. */
  head?: JSX.Element
  /** Why the message cannot be sent yet. */
  missing?: string | undefined
  sent?(): void
  escaped?(): void
  focus?: boolean
}

/** The box in which a message to one conversation is written. */
export function Composer(props: Props) {
  const conversation = () => props.conversation
  const key = () => conversationKey(conversation())
  const text = () => draftTo(conversation())?.content ?? ''
  const [isPreviewing, setPreviewing] = createSignal(false)
  const [sendsLater, setSendsLater] = createSignal(false)
  let area!: HTMLTextAreaElement
  const mentions = createMentionCheck(conversation)
  const typeahead = createTypeahead({ area: () => area, conversation, mentioned: mentions.check })
  const tooLong = () => [...text().trim()].length - (field('max_message_length') ?? 10_000)
  const refusal = () => mayNotSend(conversation())
  const isUploading = () => uploadsTo(key()).length > 0
  const maySend = () => text().trim() !== '' && tooLong() <= 0 && !refusal() && !props.missing
  const isNowhere = () => key() === conversationKey(nowhere)
  const label = () =>
    isNowhere() ? t('compose.new') : t('compose.to', { name: conversationName(conversation()) })
  const placeholder = () =>
    isNowhere()
      ? t('compose.placeholder_new')
      : t('compose.placeholder', { name: conversationName(conversation()) })

  onMount(() => {
    onCleanup(onInsert(insert))
    if (props.focus) area.focus()
  })
  onCleanup(tellStopped)
  useDrops((files) => attachFiles(files))
  createEffect(
    on(key, () => {
      setPreviewing(false)
      setSendsLater(false)
      typeahead.hide()
    }),
  )
  // A message whose files are on their way goes out when they have arrived.
  createEffect(() => {
    if (sendsLater() && !isUploading()) send()
  })

  function insert({ text: added, to }: { text: string; to: Conversation | undefined }) {
    if (to && conversationKey(to) !== key()) return false
    setPreviewing(false)
    area.focus()
    if (!added) return true
    const before = text().trimEnd()
    area.setSelectionRange(before.length, text().length)
    insertAtCursor(area, before ? `\n\n${added}` : added)
    return true
  }

  function attachFiles(files: Iterable<File>) {
    if (refusal()) return
    setPreviewing(false)
    attach(files, conversation(), area)
  }

  function onInput() {
    writeDraft(conversation(), area.value)
    if (isReplacing) return
    setSendsLater(false)
    typeahead.update()
    if (area.value.trim()) tellTyping(conversation())
    else tellStopped()
  }

  function send() {
    if (!maySend()) return
    if (isUploading()) {
      setSendsLater(true)
      return
    }
    sendMessage(conversation(), text().trim())
    cleared()
    props.sent?.()
  }

  function cleared() {
    writeDraft(conversation(), '')
    mentions.forget()
    tellStopped()
    setSendsLater(false)
    setPreviewing(false)
    area.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing || event.keyCode === 229) return
    notePasteKey(event)
    if (typeahead.onKeyDown(event)) return
    const kind = formatOfKey(event)
    if (kind) {
      event.preventDefault()
      applyFormat(area, kind)
    } else if (event.key === 'Enter') onEnter(event)
    else onOtherKey(event)
  }

  function onEnter(event: KeyboardEvent) {
    const entersSend = field('user_settings')?.enter_sends ?? false
    const withModifier = event.ctrlKey || event.metaKey
    event.preventDefault()
    if (!event.shiftKey && entersSend !== withModifier) send()
    else {
      const edit = event.shiftKey || !entersSend ? newLine(selectedIn(area)) : undefined
      if (edit) applyEdit(area, edit)
      else insertAtCursor(area, '\n')
    }
  }

  function onOtherKey(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      area.blur()
      props.escaped?.()
    } else if (event.altKey && event.code === 'KeyP') {
      event.preventDefault()
      togglePreview()
    } else if ((event.ctrlKey || event.metaKey) && event.key === '.' && !props.missing) {
      event.preventDefault()
      goTo({ view: 'narrow', terms: termsOf(conversation(), currentState().user_id) })
    }
  }

  function togglePreview() {
    setPreviewing((is) => !is)
    if (!isPreviewing()) area.focus()
  }

  return (
    <form
      class="composer"
      aria-label={label()}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.target === area || !isPreviewing()) return
        if (event.key === 'Escape' || (event.altKey && event.code === 'KeyP')) {
          event.preventDefault()
          event.stopPropagation()
          togglePreview()
        }
      }}
    >
      <Show when={props.isReply}>
        <p class="compose-target">{t('compose.reply_to', { name: conversationName(conversation()) })}</p>
      </Show>
      <DraftNote conversation={conversation()} />
      <Warnings conversation={conversation()} text={text()} mentions={mentions} />
      <Suggestions typeahead={typeahead} />
      <div class="compose-box" classList={{ refused: refusal() !== undefined }}>
        {props.head}
        <Show when={isPreviewing()}>
          <Preview text={text()} />
        </Show>
        <div class="compose-text">
          <textarea
            ref={area}
            rows="1"
            dir="auto"
            hidden={isPreviewing()}
            disabled={refusal() !== undefined}
            data-conversation={key()}
            value={text()}
            placeholder={refusal() ?? placeholder()}
            aria-label={label()}
            aria-autocomplete="list"
            aria-controls={typeahead.items().length > 0 ? typeahead.listId : undefined}
            aria-activedescendant={
              typeahead.items().length > 0 ? `${typeahead.listId}-${typeahead.active()}` : undefined
            }
            onInput={onInput}
            onClick={() => typeahead.update()}
            onBlur={() => typeahead.hide()}
            onKeyDown={onKeyDown}
            onPaste={(event) => paste(event, area, attachFiles)}
          />
          {/* Browsers cut the placeholder of a text area off without a sign. */}
          <span class="compose-placeholder" aria-hidden="true">
            {placeholder()}
          </span>
        </div>
        <Uploads conversation={conversation()} />
        <Show when={refusal()}>{(reason) => <p class="compose-hint">{reason()}</p>}</Show>
        <Show when={!refusal()}>
          <ComposeTools
            area={() => area}
            conversation={conversation()}
            text={text()}
            tooLong={tooLong()}
            missing={props.missing}
            maySend={maySend()}
            isWaiting={sendsLater()}
            isPreviewing={isPreviewing()}
            togglePreview={togglePreview}
            attach={attachFiles}
            cleared={() => {
              cleared()
              props.sent?.()
            }}
          />
        </Show>
      </div>
    </form>
  )
}
