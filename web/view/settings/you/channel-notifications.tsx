import { type Accessor, createMemo } from 'solid-js'
import { post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { channelName, subscribed } from '../../../store/channels.ts'
import { field } from '../../../store/server-state.ts'
import type { Channel } from '../../../store/server-state-types.ts'
import { noticeFailure } from '../../parts/notices.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Section } from '../parts/section.tsx'

/** The settings of a channel, and the general ones that count while a channel has none of its own. */
const properties = [
  ['desktop_notifications', 'enable_stream_desktop_notifications', 'personal.desktop'],
  ['audible_notifications', 'enable_stream_audible_notifications', 'personal.audible'],
  ['push_notifications', 'enable_stream_push_notifications', 'personal.push'],
  ['email_notifications', 'enable_stream_email_notifications', 'personal.email'],
  ['wildcard_mentions_notify', 'wildcard_mentions_notify', 'personal.wildcard'],
] as const

/** The notifications of each channel. */
export function ChannelNotifications() {
  const channels = () =>
    [...subscribed().values()]
      .filter(({ is_archived }) => !is_archived)
      .sort((a, b) => inOrder(a.name, b.name))
  return (
    <Section title={t('notifications.by_channel')} note={t('notifications.by_channel_note')}>
      <DataTable
        label={t('notifications.by_channel')}
        rows={channels()}
        idOf={idOf}
        columns={columns()}
        textOf={({ name }) => name}
        empty={t('notifications.no_channel')}
      />
    </Section>
  )
}

const idOf = (channel: Channel) => channel.stream_id

/** By ids: events change a channel in place, which the row of a table does not notice. */
function columns(): Column<Channel>[] {
  return [
    {
      name: t('notifications.channel'),
      show: (channel) => (
        <span dir="auto">
          #{channelName(idOf(channel()))}
          {subscribed().get(idOf(channel()))?.is_muted ? ` (${t('rail.muted')})` : ''}
        </span>
      ),
    },
    ...properties.map(([property, general, text]) => ({
      name: t(text),
      show: (channel: Accessor<Channel>) => (
        <Choice channelId={idOf(channel())} property={property} general={general} name={t(text)} />
      ),
    })),
  ]
}

type Property = (typeof properties)[number][0]

/** Follows the general setting until the user chooses for the channel. */
function Choice(props: { channelId: number; property: Property; general: string; name: string }) {
  const own = () => subscribed().get(props.channelId)?.[props.property] ?? null
  // A memo: other changes of the channel do not take back a choice that is on its way to the server.
  const isOn = createMemo(() => own() ?? Boolean(field('user_settings')[props.general]))
  const choose = (box: HTMLInputElement) =>
    void post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: props.channelId, property: props.property, value: box.checked }],
    }).catch((error) => {
      box.checked = isOn()
      noticeFailure(error)
    })
  return (
    <input
      type="checkbox"
      class="set-check"
      classList={{ general: own() === null }}
      aria-label={`#${channelName(props.channelId)}: ${props.name}`}
      title={own() === null ? t('personal.as_general') : props.name}
      checked={isOn()}
      onChange={(event) => choose(event.currentTarget)}
    />
  )
}
