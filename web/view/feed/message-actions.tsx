import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { hasFlag, type Message } from '../../store/messages.ts'
import { Icon } from '../parts/icon.tsx'

/** What can be done with a message, beside it while the pointer or the selection is there. */
export function MessageActions(props: { message: Message }) {
  const isStarred = () => hasFlag(props.message, 'starred')
  return (
    <div class="row-actions">
      <button
        type="button"
        class="icon-button"
        title={t('message.react')}
        onClick={() =>
          void post(`/messages/${props.message.id}/reactions`, {
            emoji_name: '+1',
            emoji_code: '1f44d',
            reaction_type: 'unicode_emoji',
          }).catch(() => {})
        }
      >
        <Icon name="smile" />
      </button>
      <button
        type="button"
        class="icon-button"
        title={t(isStarred() ? 'message.unstar' : 'message.star')}
        aria-pressed={isStarred()}
        onClick={() => star(props.message.id, !isStarred())}
      >
        <Icon name="star" />
      </button>
    </div>
  )
}

function star(id: number, isOn: boolean) {
  void post('/messages/flags', { messages: [id], op: isOn ? 'add' : 'remove', flag: 'starred' }).catch(
    () => {},
  )
}
