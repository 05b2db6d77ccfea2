import {
  createComputed,
  createEffect,
  createSignal,
  type JSX,
  on,
  onCleanup,
  onMount,
  untrack,
} from 'solid-js'
import { onInsert } from '../../lib/actions.ts'
import { isNowhere } from '../../lib/draft-merge.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { addToDraft, draftTo, moveDraft, writeDraft } from '../../store/drafts.ts'
import { sendMessage } from '../../store/outbox.ts'
import { field } from '../../store/server-state.ts'
import { tellStopped, tellTyping } from '../../store/typing.ts'
import { uploadsTo } from '../../store/uploads.ts'
import { selected } from '../feed/selection.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { isElsewhere } from '../parts/focus.ts'
import { insertAtCursor, isReplacing } from './area.ts'
import { attach, useDrops } from './files.tsx'
import { createMentionCheck } from './mention-check.ts'
import { mayNotSend } from './permission.ts'
import { createTypeahead } from './typeahead.tsx'

export type ComposerProps = {
  conversation: Conversation
  isReply: boolean
  /** The part above the text, such as fields for a new conversation. */
  head?: JSX.Element
  /** The part that the keys reach behind the text and its tools. */
  tail?: JSX.Element
  /** Why the message cannot be sent yet. */
  missing?: string | undefined
  sent?(): void
  escaped?(): void
  focus?: boolean
  /** Files to attach when the box is shown. */
  files?: File[] | undefined
}

export type Box = ReturnType<typeof createComposer>

/** The state of a box to write, and what can be done in it. */
export function createComposer(props: ComposerProps) {
  followAnswered(props)
  const text = createText(props)
  const { conversation, key, refusal } = text
  const [isPreviewing, setPreviewing] = createSignal(false)
  let element!: HTMLTextAreaElement
  const area = () => element
  const mentions = createMentionCheck(conversation, text.text)
  const typeahead = createTypeahead({ area, conversation })
  const sending = createSending(props, text, () => {
    mentions.forget()
    setPreviewing(false)
    // The files of the message may have arrived only now.
    if (!isElsewhere(element)) element.focus()
  })
  const attachFiles = (files: Iterable<File>) => {
    if (refusal()) return
    setPreviewing(false)
    attach(files, conversation(), element)
  }
  onMount(() => props.files && attachFiles(props.files))
  onCleanup(tellStopped)
  useDrops(attachFiles)
  useInserts({ text, area, open: () => setPreviewing(false), focus: props.focus ?? false })
  createEffect(
    on(key, () => {
      setPreviewing(false)
      typeahead.hide()
    }),
  )
  function onInput() {
    writeDraft(conversation(), element.value)
    if (isReplacing) return
    sending.wait(false)
    typeahead.update()
    if (element.value.trim()) tellTyping(conversation())
    else tellStopped()
  }
  function togglePreview() {
    setPreviewing((is) => !is)
    if (!isPreviewing()) element.focus()
  }
  const setArea = (made: HTMLTextAreaElement) => {
    element = made
  }
  const actions = { onInput, attachFiles, togglePreview }
  return { ...text, ...sending, ...actions, area, setArea, mentions, typeahead, isPreviewing }
}

/** A reply goes along when the message moves that it answers. Before the box is painted, so that the cursor stays. */
function followAnswered(props: ComposerProps) {
  createComputed<{ id: number | undefined; to: Conversation }>((before) => {
    const now = { id: selected(), to: props.conversation }
    if (props.isReply && before && before.id === now.id) untrack(() => moveDraft(before.to, now.to))
    return now
  })
}

/** The text of the draft, and whether it can be sent. */
function createText(props: ComposerProps) {
  const conversation = () => props.conversation
  const key = () => conversationKey(conversation())
  const text = () => draftTo(conversation())?.content ?? ''
  const tooLong = () => [...text().trim()].length - (field('max_message_length') ?? 10_000)
  const refusal = () => mayNotSend(conversation())
  const name = () => conversationName(conversation())
  return {
    conversation,
    key,
    text,
    /** By how many characters the text is too long. */
    tooLong,
    /** Why the user may not write here. */
    refusal,
    maySend: () => text().trim() !== '' && tooLong() <= 0 && !refusal() && !props.missing,
    isUploading: () => uploadsTo(key()).length > 0,
    label: () => (isNowhere(conversation()) ? t('compose.new') : t('compose.to', { name: name() })),
    placeholder: () =>
      isNowhere(conversation()) ? t('compose.placeholder_new') : t('compose.placeholder', { name: name() }),
  }
}

type Text = ReturnType<typeof createText>

/** Sends the text. If its files are on their way, it goes out when they have arrived. */
function createSending(props: ComposerProps, text: Text, emptied: () => void) {
  const [isWaiting, wait] = createSignal(false)
  createEffect(on(text.key, () => wait(false)))
  createEffect(() => {
    if (isWaiting() && !text.isUploading()) send()
  })

  function send() {
    if (!text.maySend()) return
    if (text.isUploading()) {
      wait(true)
      return
    }
    sendMessage(text.conversation(), text.text().trim())
    cleared()
  }

  /** The text has gone: it was sent, or will be. */
  function cleared() {
    writeDraft(text.conversation(), '')
    tellStopped()
    wait(false)
    emptied()
    props.sent?.()
  }

  return { send, cleared, isWaiting, wait }
}

/** Takes what other parts of the page insert, and the focus if it is to have it. */
function useInserts(box: { text: Text; area(): HTMLTextAreaElement; open(): void; focus: boolean }) {
  function insert({ text: added, to }: { text: string; to: Conversation | undefined }) {
    if (to && conversationKey(to) !== box.text.key()) return false
    // A quote is read first, and the user may write elsewhere by then.
    if (isElsewhere(box.area())) {
      addToDraft(box.text.conversation(), added)
      return true
    }
    box.open()
    box.area().focus()
    if (!added) return true
    const all = box.text.text()
    const before = all.trimEnd()
    box.area().setSelectionRange(before.length, all.length)
    insertAtCursor(box.area(), before ? `\n\n${added}` : added)
    return true
  }
  onMount(() => {
    onCleanup(onInsert(insert))
    if (box.focus) box.area().focus()
  })
}
