import { createMemo, For, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import type { Message, Reaction } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import { isSpectator } from '../../store/spectator.ts'
import { emojiOf } from '../parts/enrich.ts'

type Group = { emoji: Reaction; userIds: number[] }

/** The reactions to a message, one button for each emoji. */
export function Reactions(props: { message: Message }) {
  const groups = createMemo(() => {
    const found = new Map<string, Group>()
    for (const emoji of props.message.reactions) {
      const key = `${emoji.reaction_type}:${emoji.emoji_code}`
      const group = found.get(key)
      if (group) group.userIds.push(emoji.user_id)
      else found.set(key, { emoji, userIds: [emoji.user_id] })
    }
    return [...found.values()]
  })
  return (
    <Show when={groups().length > 0}>
      <div class="reactions">
        <For each={groups()}>
          {({ emoji, userIds }) => {
            const isOwn = userIds.includes(currentState().user_id)
            return (
              <button
                type="button"
                class="reaction"
                aria-pressed={isOwn}
                disabled={isSpectator()}
                title={t('reaction.label', {
                  name: `:${emoji.emoji_name}:`,
                  people: userIds.map(nameOf).join(', '),
                })}
                onClick={(event) => {
                  event.stopPropagation()
                  toggle(props.message.id, emoji, isOwn)
                }}
              >
                <EmojiGlyph emoji={emoji} />
                <span>{userIds.length}</span>
              </button>
            )
          }}
        </For>
      </div>
    </Show>
  )
}

/** An emoji as a character, or as the organization's picture. */
export function EmojiGlyph(props: {
  emoji: { emoji_name: string; emoji_code: string; reaction_type: string }
}) {
  const picture = () => field('realm_emoji')?.[props.emoji.emoji_code]?.source_url
  return (
    <Show
      when={props.emoji.reaction_type !== 'unicode_emoji'}
      fallback={<span class="glyph">{emojiOf(props.emoji.emoji_code)}</span>}
    >
      <img class="glyph" src={picture()} alt={`:${props.emoji.emoji_name}:`} />
    </Show>
  )
}

function toggle(messageId: number, { emoji_name, emoji_code, reaction_type }: Reaction, isOwn: boolean) {
  const params = { emoji_name, emoji_code, reaction_type }
  const path = `/messages/${messageId}/reactions`
  void (isOwn ? remove(path, params) : post(path, params)).catch(() => {})
}
