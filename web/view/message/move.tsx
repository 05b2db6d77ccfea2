import { createResource, createSignal, For, Show } from 'solid-js'
import { get } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { channelOf, shownTopic, subscribed } from '../../store/channels.ts'
import type { Message } from '../../store/messages.ts'
import { field } from '../../store/server-state.ts'
import { Dialog } from '../parts/dialog.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { changeTopic, newestIn, type TopicRef } from './commands.ts'
import { Form } from './message-dialogs.tsx'
import { mayMoveChannel, mayMoveTopic } from './permissions.ts'

type Mode = 'change_one' | 'change_later' | 'change_all'

/** Moves a message, or a whole topic if no message is given. */
export function Move(props: { topic: TopicRef; message?: Message; close(): void }) {
  const from = props.topic
  const [channelId, setChannelId] = createSignal(from.channelId)
  const [topic, setTopic] = createSignal(from.topic)
  const [mode, setMode] = createSignal<Mode>(props.message ? 'change_later' : 'change_all')
  const [tellOld, setTellOld] = createSignal(false)
  const [tellNew, setTellNew] = createSignal(true)
  const [topics] = createResource(channelId, (id) =>
    get<{ topics: { name: string }[] }>(`/users/me/${id}/topics`, { allow_empty_topic_name: true }),
  )
  const names = () => topics()?.topics.map(({ name }) => name) ?? []
  const isSame = () => channelId() === from.channelId && topic().trim() === from.topic
  /** The topics become one, which cannot be undone. */
  const merges = () =>
    names().some((name) => name.toLowerCase() === topic().trim().toLowerCase()) &&
    (channelId() !== from.channelId || topic().trim().toLowerCase() !== from.topic.toLowerCase())

  async function move() {
    if (isSame()) return props.close()
    try {
      const id = props.message?.id ?? (await newestIn(from))?.id
      if (id === undefined) throw new Error(t('move.empty'))
      await changeTopic(id, {
        propagate_mode: mode(),
        topic: topic().trim() === from.topic ? undefined : topic().trim(),
        stream_id: channelId() === from.channelId ? undefined : channelId(),
        send_notification_to_old_thread: tellOld(),
        send_notification_to_new_thread: tellNew(),
      })
      notice(t('move.done'))
      props.close()
    } catch (error) {
      noticeFailure(error)
    }
  }

  return (
    <Dialog title={t(props.message ? 'message.move' : 'topic.move')} close={props.close}>
      <Form submit={t('move.submit')} close={props.close} run={move}>
        <Show when={mayMoveChannel(from.channelId, props.message)}>
          <label>
            {t('move.channel')}
            <select
              class="field"
              value={channelId()}
              onChange={(event) => setChannelId(Number(event.currentTarget.value))}
            >
              <For each={channelsFor(from.channelId)}>
                {(one) => (
                  <option value={one.stream_id} selected={one.stream_id === channelId()}>
                    {one.name}
                  </option>
                )}
              </For>
            </select>
          </label>
        </Show>
        <Show when={mayMoveTopic(from.channelId, props.message)}>
          <label>
            {t('compose.topic')}
            <input
              class="field"
              dir="auto"
              autofocus
              list="move-topics"
              maxlength={field('max_topic_length')}
              placeholder={shownTopic('')}
              value={topic()}
              onInput={(event) => setTopic(event.currentTarget.value)}
            />
          </label>
          <datalist id="move-topics">
            <For each={names()}>{(name) => <option value={name} />}</For>
          </datalist>
        </Show>
        <Show when={merges()}>
          <p class="error-text" role="status">
            {t('move.merges')}
          </p>
        </Show>
        <Show when={props.message}>
          <label>
            {t('move.which')}
            <select
              class="field"
              value={mode()}
              onChange={(event) => setMode(event.currentTarget.value as Mode)}
            >
              <For each={['change_one', 'change_later', 'change_all'] as const}>
                {(one) => (
                  <option value={one} selected={one === mode()}>
                    {t(`move.${one}`)}
                  </option>
                )}
              </For>
            </select>
          </label>
        </Show>
        <Check label={t('move.tell_new')} isOn={tellNew()} set={setTellNew} />
        <Check label={t('move.tell_old')} isOn={tellOld()} set={setTellOld} />
      </Form>
    </Dialog>
  )
}

function Check(props: { label: string; isOn: boolean; set(isOn: boolean): void }) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  )
}

/** The channels of the user, with the one from which messages are moved. */
function channelsFor(from: number) {
  const all = new Map(subscribed())
  const here = channelOf(from)
  if (here) all.set(from, here)
  return [...all.values()].filter((one) => !one.is_archived).sort((a, b) => a.name.localeCompare(b.name))
}
