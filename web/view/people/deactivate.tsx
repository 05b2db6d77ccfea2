import '../message/bulk.css'
import { createSignal, For, Show } from 'solid-js'
import { remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { isDeactivated, users } from '../../store/people.ts'
import type { User } from '../../store/server-state-types.ts'
import { Form } from '../message/message-dialogs.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'

/** Deactivates a person or a bot, and says beforehand what happens with what they have. */
export function Deactivate(props: { user: User; close(): void }) {
  const { user_id, full_name, is_bot } = props.user
  const [isTold, setTold] = createSignal(false)
  const [comment, setComment] = createSignal('')
  const bots = () =>
    [...users().values()].filter((one) => one.bot_owner_id === user_id && !isDeactivated(one.user_id))
  const run = () =>
    (is_bot
      ? remove(`/bots/${user_id}`)
      : remove(`/users/${user_id}`, isTold() ? { deactivation_notification_comment: comment() } : {})
    ).then(() => {
      notice(t('deactivate.done', { name: full_name }))
      props.close()
    }, noticeFailure)
  return (
    <Dialog title={t('deactivate.title', { name: full_name })} close={props.close}>
      <Form submit={t('deactivate.submit')} isDangerous close={props.close} run={run}>
        <ul class="consequences">
          <For each={consequences(is_bot)}>{(text) => <li>{text}</li>}</For>
          <Show when={bots().length > 0}>
            <li dir="auto">
              {t('deactivate.bots', {
                count: bots().length,
                names: bots()
                  .map((bot) => bot.full_name)
                  .join(', '),
              })}
            </li>
          </Show>
          <li>{t('deactivate.reversible')}</li>
        </ul>
        <Show when={!is_bot}>
          <label class="choice">
            <input
              type="checkbox"
              checked={isTold()}
              onChange={(event) => setTold(event.currentTarget.checked)}
            />
            {t('deactivate.tell')}
          </label>
          <Show when={isTold()}>
            <label>
              {t('deactivate.comment')}
              <textarea
                class="field"
                dir="auto"
                maxlength="2000"
                value={comment()}
                onInput={(event) => setComment(event.currentTarget.value)}
              />
            </label>
          </Show>
        </Show>
      </Form>
    </Dialog>
  )
}

function consequences(isBot: boolean): string[] {
  if (isBot) return [t('deactivate.bot_stops'), t('deactivate.messages_stay')]
  return [t('deactivate.signed_out'), t('deactivate.messages_stay'), t('deactivate.invitations')]
}
