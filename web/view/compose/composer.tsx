import './compose.css'
import { createEffect, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import { onInsert } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { sendMessage } from '../../store/outbox.ts'
import { field } from '../../store/server-state.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'

const texts = new Map<string, string>()

/** The box in which a message to one conversation is written. */
export function Composer(props: { conversation: Conversation; isReply: boolean }) {
  const key = () => conversationKey(props.conversation)
  const [text, setText] = createSignal('')
  let area!: HTMLTextAreaElement
  createEffect(
    on(key, () => {
      setText(texts.get(key()) ?? '')
    }),
  )
  onMount(() => onCleanup(onInsert(insert)))

  function insert({ text: added, to }: { text: string; to: Conversation | undefined }) {
    if (to && conversationKey(to) !== key()) return false
    const before = text().trimEnd()
    if (added) write(before ? `${before}\n\n${added}` : added)
    area.focus()
    return true
  }

  const tooLong = () => [...text()].length - (field('max_message_length') ?? 10_000)

  function write(value: string) {
    setText(value)
    texts.set(key(), value)
  }

  function send() {
    const content = text().trim()
    if (!content || tooLong() > 0) return
    sendMessage(props.conversation, content)
    write('')
    area.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') area.blur()
    if (event.key !== 'Enter' || event.isComposing || event.shiftKey) return
    const entersSend = field('user_settings')?.enter_sends ?? false
    const withModifier = event.ctrlKey || event.metaKey
    if (entersSend === withModifier) return
    event.preventDefault()
    send()
  }

  return (
    <form
      class="composer"
      aria-label={t('compose.to', { name: conversationName(props.conversation) })}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Show when={props.isReply}>
        <p class="compose-target">{t('compose.reply_to', { name: conversationName(props.conversation) })}</p>
      </Show>
      <div class="compose-box">
        <textarea
          ref={area}
          rows="1"
          dir="auto"
          value={text()}
          placeholder={t('compose.placeholder', { name: conversationName(props.conversation) })}
          aria-label={t('compose.to', { name: conversationName(props.conversation) })}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div class="compose-tools">
          <Show when={tooLong() > 0}>
            <span class="error-text">{t('compose.too_long', { count: tooLong() })}</span>
          </Show>
          <button type="submit" class="button primary" disabled={!text().trim() || tooLong() > 0}>
            <Icon name="send" />
            {t('compose.send')}
          </button>
        </div>
      </div>
    </form>
  )
}
