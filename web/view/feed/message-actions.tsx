import { Index } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { hasFlag, type Message } from '../../store/messages.ts'
import { openEmojiPicker } from '../emoji/open-picker.ts'
import { toggleFlag, toggleReaction } from '../message/commands.ts'
import { setEditing } from '../message/editing.ts'
import { reply } from '../message/message-acts.ts'
import { editDeadline, isOpen, mayReact } from '../message/permissions.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { openMenu } from '../parts/menu.tsx'

type Tool = { name: string; icon: IconName; isOn?: boolean; hasPopup?: boolean; run(button: Element): void }

const loadMenu = () => import('../message/menu.ts')

/** Shows the actions for a message, beside it while the pointer or the selection is there. */
export function MessageActions(props: { message: Message }) {
  // So that the menu is here when its button is pressed.
  loadMenu().catch(() => {})
  return (
    <div class="row-actions" role="toolbar" aria-label={t('message.more')}>
      {/* By their places: the message that becomes read while one is pressed makes the tools anew, and the press counts. */}
      <Index each={toolsOf(props.message)}>
        {(tool) => (
          <button
            type="button"
            class="icon-button"
            title={tool().name}
            aria-label={tool().name}
            classList={{ on: tool().isOn }}
            aria-haspopup={tool().hasPopup ? 'true' : undefined}
            onClick={(event) => tool().run(event.currentTarget)}
          >
            <Icon name={tool().icon} />
          </button>
        )}
      </Index>
    </div>
  )
}

function toolsOf(one: Message): Tool[] {
  const isStarred = hasFlag(one, 'starred')
  return [
    ...(mayReact(one)
      ? [
          {
            name: t('message.react'),
            icon: 'smile' as const,
            hasPopup: true,
            run: (button: Element) => openEmojiPicker(button, (emoji) => toggleReaction(one, emoji)),
          },
        ]
      : []),
    { name: t('message.reply'), icon: 'reply', run: () => reply(one) },
    ...(isOpen(editDeadline(one))
      ? [{ name: t('message.edit'), icon: 'edit' as const, run: () => setEditing(one.id) }]
      : []),
    {
      name: t(isStarred ? 'message.unstar' : 'message.star'),
      icon: 'star',
      isOn: isStarred,
      run: () => toggleFlag(one, 'starred'),
    },
    {
      name: t('message.more'),
      icon: 'more',
      hasPopup: true,
      run: (button) =>
        openMenu(
          button,
          t('message.more'),
          loadMenu().then(({ messageMenu }) => messageMenu(one)),
        ),
    },
  ]
}
