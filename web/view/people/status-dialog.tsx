import { createSignal, Show } from 'solid-js'
import { patch, post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { currentState, field } from '../../store/server-state.ts'
import { openEmojiPicker } from '../emoji/open-picker.ts'
import { EmojiGlyph } from '../feed/reactions.tsx'
import type { Emoji } from '../message/commands.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { CheckBox } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'

/** Edits the user's status, and whether others see the user's presence. */
export function StatusDialog(props: { close(): void }) {
  const before = field('user_status')?.[currentState().user_id]
  const [text, setText] = createSignal(before?.status_text ?? '')
  const [emoji, setEmoji] = createSignal<Emoji | undefined>(
    before?.emoji_code
      ? {
          emoji_name: before.emoji_name ?? '',
          emoji_code: before.emoji_code,
          reaction_type: before.reaction_type ?? 'unicode_emoji',
        }
      : undefined,
  )
  const [isInvisible, setInvisible] = createSignal(!currentState().user_settings.presence_enabled)

  async function save() {
    const { emoji_name = '', emoji_code = '', reaction_type = '' } = emoji() ?? {}
    await post('/users/me/status', { status_text: text().trim(), emoji_name, emoji_code, reaction_type })
    if (isInvisible() === currentState().user_settings.presence_enabled)
      await patch('/settings', { presence_enabled: !isInvisible() })
    props.close()
  }

  return (
    <Dialog title={t('status.title')} close={props.close}>
      <Form submit={t('message.save')} close={props.close} run={save}>
        <StatusLine text={text()} setText={setText} emoji={emoji()} setEmoji={setEmoji} />
        <CheckBox label={t('status.invisible')} isOn={isInvisible()} set={setInvisible} />
      </Form>
    </Dialog>
  )
}

/** The emoji and the text of a status, with a button that takes both away. */
function StatusLine(props: {
  text: string
  setText(text: string): void
  emoji: Emoji | undefined
  setEmoji(emoji: Emoji | undefined): void
}) {
  const choose = ({ currentTarget }: { currentTarget: Element }) =>
    openEmojiPicker(currentTarget, (emoji) => {
      props.setEmoji(emoji)
      currentTarget.parentElement?.setAttribute('data-changed', '')
    })
  return (
    <div class="status-line">
      <button
        type="button"
        class="button"
        aria-label={t('status.emoji')}
        title={t('status.emoji')}
        onClick={choose}
      >
        <Show when={props.emoji} fallback={<Icon name="smile" />}>
          {(one) => <EmojiGlyph emoji={one()} />}
        </Show>
      </button>
      <input
        class="field"
        dir="auto"
        autofocus
        maxlength="60"
        aria-label={t('status.text')}
        placeholder={t('status.text')}
        value={props.text}
        onInput={(event) => props.setText(event.currentTarget.value)}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={t('status.clear')}
        title={t('status.clear')}
        onClick={() => {
          props.setText('')
          props.setEmoji(undefined)
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
