import { createMemo, For, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { emojiOf } from '../../lib/emoji-of.ts'
import { t } from '../../lib/i18n.ts'
import type { Message, Reaction } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import { mayReact } from '../message/permissions.ts'
import { usePress } from '../parts/submission.ts'

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
    return found
  })
  return (
    <Show when={groups().size > 0}>
      <div class="reactions">
        {/* By key, so that a reaction does not take the focus from the button that was pressed. */}
        <For each={[...groups().keys()]}>
          {(key) => (
            <Show when={groups().get(key)}>
              {(group) => <ReactionButton message={props.message} group={group()} />}
            </Show>
          )}
        </For>
      </div>
    </Show>
  )
}

/** Says how many have reacted so; a press adds the user's own reaction, or takes it back. */
function ReactionButton(props: { message: Message; group: Group }) {
  const isOwn = () => props.group.userIds.includes(currentState().user_id)
  const { isBusy, press } = usePress(() => {
    const { emoji_name, emoji_code, reaction_type } = props.group.emoji
    const path = `/messages/${props.message.id}/reactions`
    return (isOwn() ? remove : post)(path, { emoji_name, emoji_code, reaction_type })
  })
  return (
    <button
      type="button"
      class="reaction"
      aria-pressed={isOwn()}
      aria-disabled={isBusy()}
      disabled={!mayReact(props.message)}
      title={t('reaction.label', {
        name: `:${props.group.emoji.emoji_name}:`,
        people: props.group.userIds.map(nameOf).join(', '),
      })}
      onClick={(event) => {
        event.stopPropagation()
        press()
      }}
    >
      <EmojiGlyph emoji={props.group.emoji} />
      <span>{props.group.userIds.length}</span>
    </button>
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
