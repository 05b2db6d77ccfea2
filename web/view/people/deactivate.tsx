import '../message/bulk.css'
import { createSignal, For, Show } from 'solid-js'
import { remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { isDeactivated, nameOf, users } from '../../store/people.ts'
import type { User } from '../../store/server-state-types.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { CheckBox, TextInput } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { notice } from '../parts/notices.tsx'

/** Deactivates a person or a bot, and says beforehand what happens with what they have. */
export function Deactivate(props: { user: User; close(): void }) {
  const { user_id, is_bot } = props.user
  const [isTold, setTold] = createSignal(false)
  const [comment, setComment] = createSignal('')
  const bots = () =>
    [...users().values()]
      .filter((one) => one.bot_owner_id === user_id && !isDeactivated(one.user_id))
      .map((bot) => bot.full_name)
  const run = async () => {
    if (is_bot) await remove(`/bots/${user_id}`)
    else await remove(`/users/${user_id}`, isTold() ? { deactivation_notification_comment: comment() } : {})
    notice(t('deactivate.done', { name: nameOf(user_id) }))
    props.close()
  }
  return (
    <Dialog title={t('deactivate.title', { name: nameOf(user_id) })} close={props.close}>
      <Form submit={t('deactivate.submit')} isDangerous close={props.close} run={run}>
        <ul class="consequences">
          <For each={consequences(is_bot)}>{(text) => <li>{text}</li>}</For>
          <Show when={bots().length > 0}>
            <li dir="auto">{t('deactivate.bots', { count: bots().length, names: bots().join(', ') })}</li>
          </Show>
          <li>{t('deactivate.reversible')}</li>
        </ul>
        <Show when={!is_bot}>
          <CheckBox label={t('deactivate.tell')} isOn={isTold()} set={setTold} />
          <Show when={isTold()}>
            <TextInput
              label={t('deactivate.comment')}
              value={comment()}
              set={setComment}
              max={2000}
              lines={3}
            />
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
