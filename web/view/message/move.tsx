import { createResource, createSignal, For, Show } from 'solid-js'
import { get, untilDone } from '../../api/client.ts'
import { ShownError } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { inOrder } from '../../lib/in-order.ts'
import { namesMatch } from '../../lib/same-name.ts'
import { channelOf, shownTopic, subscribed } from '../../store/channels.ts'
import type { Message } from '../../store/messages.ts'
import { field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { CheckBox, SelectField } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { notice } from '../parts/notices.tsx'
import { valueIn } from '../parts/value-in.ts'
import { changeTopic, newestIn } from '../topic/commands.ts'
import type { TopicRef } from './commands.ts'
import { type Extent, Extents, SightLine } from './extent.tsx'
import { mayMoveChannel, mayMoveTopic } from './permissions.ts'

const modes = ['change_one', 'change_later', 'change_all'] as const
type Mode = (typeof modes)[number]

type Props = { topic: TopicRef; message?: Message; close(): void }

/** Moves a message, or a whole topic if no message is given. */
export function Move(props: Props) {
  const target = createTarget(props)
  const { topic: from, message } = props
  return (
    <Dialog title={t(message ? 'message.move' : 'topic.move')} close={props.close}>
      <Form submit={t('move.submit')} close={props.close} run={target.move}>
        <Show when={mayMoveChannel(from.channelId, message)}>
          <ChannelChoice
            value={target.channelId()}
            channels={channelsFor([from.channelId])}
            choose={target.setChannelId}
          />
        </Show>
        <Show when={mayMoveTopic(from.channelId, message)}>
          <TopicName value={target.topic()} names={target.names.all()} input={target.setTopic} />
        </Show>
        <ErrorText error={target.names.failure()} />
        <Show when={target.merges()}>
          <p class="error-text" role="status">
            {t('move.merges')}
          </p>
        </Show>
        <Show when={message}>
          <SelectField
            label={t('move.which')}
            value={target.mode()}
            options={modes.map((mode) => [mode, t(`move.${mode}`)])}
            choose={target.setMode}
          />
        </Show>
        <Extents extent={target.extent} />
        <SightLine from={from.channelId} to={target.channelId()} />
        <CheckBox label={t('move.tell_new')} isOn={target.tellNew()} set={target.setTellNew} />
        <CheckBox label={t('move.tell_old')} isOn={target.tellOld()} set={target.setTellOld} />
      </Form>
    </Dialog>
  )
}

/** The target of a move, and which messages it includes. */
function createTarget(props: Props) {
  const { topic: from, message } = props
  const [channelId, setChannelId] = createSignal(from.channelId)
  const [topic, setTopic] = createSignal(from.topic)
  const [mode, setMode] = createSignal<Mode>(message ? 'change_later' : 'change_all')
  const [tellOld, setTellOld] = createSignal(false)
  const [tellNew, setTellNew] = createSignal(true)
  const names = useTopicNames(channelId)
  const extent = useExtent(props, mode)
  const isSame = () => channelId() === from.channelId && topic().trim() === from.topic
  /** The topics become one, which cannot be undone. */
  const merges = () =>
    names.has(topic().trim()) && (channelId() !== from.channelId || !namesMatch(topic().trim(), from.topic))

  async function move() {
    if (isSame()) return props.close()
    const id = message?.id ?? (await newestIn(from))?.id
    if (id === undefined) throw new ShownError(t('move.empty'))
    await changeTopic(id, {
      propagate_mode: mode(),
      topic: topic().trim() === from.topic ? undefined : topic().trim(),
      stream_id: channelId() === from.channelId ? undefined : channelId(),
      send_notification_to_old_thread: tellOld(),
      send_notification_to_new_thread: tellNew(),
    })
    notice(t('move.done'))
    props.close()
  }

  const setters = { setChannelId, setTopic, setMode, setTellOld, setTellNew }
  return { channelId, topic, mode, tellOld, tellNew, names, extent, merges, move, ...setters }
}

/** Loads the extent of the messages that move. */
function useExtent({ topic, message }: Props, mode: () => Mode) {
  const [extent] = createResource(mode, async (propagate_mode) => {
    const id = message?.id ?? (await newestIn(topic))?.id
    if (id !== undefined) return get<Extent>(`/rookery/messages/${id}/move_extent`, { propagate_mode })
  })
  return extent
}

/** The names of a channel's topics. */
export function useTopicNames(channelId: () => number) {
  const [topics] = createResource(channelId, (id) =>
    untilDone(() =>
      get<{ topics: { name: string }[] }>(`/users/me/${id}/topics`, { allow_empty_topic_name: true }),
    ),
  )
  const failure = () => topics.error as unknown
  /** None while they are unknown. */
  const all = () => valueIn(topics)?.topics.map(({ name }) => name) ?? []
  const has = (name: string) => all().some((one) => namesMatch(one, name))
  return { all, has, failure }
}

export function ChannelChoice(props: { value: number; channels: Channel[]; choose(id: number): void }) {
  return (
    <SelectField
      label={t('move.channel')}
      value={props.value}
      options={props.channels.map(({ stream_id, name }) => [stream_id, name])}
      choose={props.choose}
    />
  )
}

export function TopicName(props: { value: string; names: string[]; input(topic: string): void }) {
  return (
    <>
      <label>
        {t('compose.topic')}
        <input
          class="field"
          dir="auto"
          autofocus
          list="move-topics"
          maxlength={field('max_topic_length')}
          placeholder={shownTopic('')}
          value={props.value}
          onInput={(event) => props.input(event.currentTarget.value)}
        />
      </label>
      <datalist id="move-topics">
        <For each={props.names}>{(name) => <option value={name} />}</For>
      </datalist>
    </>
  )
}

/** The channels of the user, with those from which messages are moved. */
export function channelsFor(from: number[]): Channel[] {
  const all = new Map(subscribed())
  for (const id of from) {
    const here = channelOf(id)
    if (here) all.set(id, here)
  }
  return [...all.values()].filter((one) => !one.is_archived).sort((a, b) => inOrder(a.name, b.name))
}
