import { createMemo, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { mayAddSubscribers, mayRemoveSubscribers } from '../../store/channel-rights.ts'
import { nameOf, users } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { useSubscribers } from '../../store/subscribers.ts'
import { ErrorText } from '../parts/error-text.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { AddPeople } from '../people/add-people.tsx'
import { PeopleTable } from '../people/people-table.tsx'

/** Lists the subscribers of a channel, to add to and to remove from. */
export function Subscribers(props: { channel: Channel }) {
  const { ids, failure } = useSubscribers(() => props.channel.stream_id)
  const add = (principals: number[]) =>
    post('/users/me/subscriptions', { subscriptions: [{ name: props.channel.name }], principals })
  return (
    <div class="settings">
      <AddPeople
        label={t('subscribers.add')}
        submit={t('subscribers.submit')}
        reason={mayAddSubscribers(props.channel) ? undefined : t('subscribers.may_not_add')}
        isIn={(id) => ids()?.has(id) ?? false}
        willAdd={(count) => t('subscribers.will_add', { count })}
        done={(count) => t('subscribers.added', { count })}
        add={add}
      />
      <ErrorText error={failure()} />
      <Show when={ids()} fallback={<Show when={!failure()}>{t('app.loading')}</Show>}>
        {(all) => <List channel={props.channel} ids={all()} add={add} />}
      </Show>
    </div>
  )
}

function List(props: { channel: Channel; ids: ReadonlySet<number>; add(ids: number[]): Promise<unknown> }) {
  const isOwn = (userId: number) =>
    userId === currentState().user_id || users().get(userId)?.bot_owner_id === currentState().user_id
  const mayRemove = createMemo(() => mayRemoveSubscribers(props.channel))
  const drop = async (principals: number[]) => {
    await remove('/users/me/subscriptions', { subscriptions: [props.channel.name], principals })
    const text =
      principals.length === 1
        ? t('subscribers.removed', { name: nameOf(principals[0] ?? 0) })
        : t('subscribers.removed_many', { count: principals.length })
    const undo = () => void props.add(principals).catch(noticeFailure)
    const offer = { label: t('notice.undo'), run: undo }
    notice(text, mayAddSubscribers(props.channel) ? { offer } : {})
  }
  return (
    <section class="setting" aria-label={t('channel.members')}>
      <PeopleTable
        ids={props.ids}
        empty={t('channel.nobody')}
        count={(count) => t('channels.subscribers', { count })}
        refusal={(id) => (mayRemove() || isOwn(id) ? undefined : t('subscribers.may_not_remove'))}
        removeLabel={(name) => t('subscribers.remove', { name })}
        removeMany={(count) => t('subscribers.remove_many', { count })}
        remove={drop}
      />
    </section>
  )
}
