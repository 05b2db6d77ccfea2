import { createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { shownTopic } from '../../store/channels.ts'
import type { Message } from '../../store/messages.ts'
import { clearMarks } from '../feed/marking.ts'
import { channelInText } from '../parts/channel-in-text.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { Form } from '../parts/form.tsx'
import { deleteAll, moveAll } from './bulk.ts'
import type { TopicRef } from './commands.ts'
import { ExtentLine, extentOf, SightLine } from './extent.tsx'
import { ChannelChoice, channelsFor, TopicName, useTopicNames } from './move.tsx'
import { mayMoveChannel, mayMoveTopic } from './permissions.ts'

type Props = { messages: Message[]; close(): void }

/** Deletes several messages for everyone. */
export function BulkDelete(props: Props) {
  const [done, setDone] = createSignal(0)
  const run = async () => {
    if (await deleteAll(props.messages, setDone)) clearMarks()
    props.close()
  }
  return (
    <Dialog title={t('bulk.delete')} close={props.close}>
      <Form submit={t('message.delete')} isDangerous close={props.close} run={run}>
        <ExtentLine extent={extentOf(props.messages)} />
        <p>{t('bulk.delete_question')}</p>
        <ProgressLine done={done()} all={props.messages.length} />
      </Form>
    </Dialog>
  )
}

function ProgressLine(props: { done: number; all: number }) {
  return (
    <Show when={props.done > 0}>
      <p role="status">{t('bulk.progress', { count: props.done, all: props.all })}</p>
    </Show>
  )
}

/** Moves several messages to one topic. */
export function BulkMove(props: Props) {
  const first = props.messages[0]
  const [done, setDone] = createSignal(0)
  const from = [...new Set(props.messages.map(({ stream_id = 0 }) => stream_id))]
  const [channelId, setChannelId] = createSignal(first?.stream_id ?? 0)
  const [topic, setTopic] = createSignal(first?.subject ?? '')
  const names = useTopicNames(channelId)
  const may = (mayMove: typeof mayMoveTopic) =>
    props.messages.every((one) => mayMove(one.stream_id ?? 0, one))
  const to = () => ({ channelId: channelId(), topic: topic().trim() })
  const isSame = createMemo(() =>
    props.messages.every((one) => one.stream_id === to().channelId && one.subject === to().topic),
  )
  const run = async () => {
    if (isSame()) return props.close()
    if (await moveAll(props.messages, to(), setDone)) clearMarks()
    props.close()
  }
  return (
    <Dialog title={t('bulk.move')} close={props.close}>
      <Form submit={t('move.submit')} refusal={refusalOf(props.messages, to())} close={props.close} run={run}>
        <Show when={may(mayMoveChannel)}>
          <ChannelChoice value={channelId()} channels={channelsFor(from)} choose={setChannelId} />
        </Show>
        <Show when={may(mayMoveTopic)}>
          <TopicName value={topic()} names={names.all()} input={setTopic} />
        </Show>
        <ExtentLine extent={extentOf(props.messages)} />
        <Show when={!isSame()}>
          <p class="extent">
            {t(names.has(to().topic) ? 'extent.into_existing' : 'extent.into_new', {
              channel: channelInText(channelId()),
              topic: shownTopic(to().topic),
            })}
          </p>
        </Show>
        <ErrorText error={names.failure()} />
        <For each={from}>{(id) => <SightLine from={id} to={channelId()} />}</For>
        <ProgressLine done={done()} all={props.messages.length} />
      </Form>
    </Dialog>
  )
}

/** Why not all messages can go there: then none goes. */
function refusalOf(messages: Message[], to: TopicRef): string | undefined {
  const mayAll = (isThere: (one: Message) => boolean, mayMove: typeof mayMoveTopic) =>
    messages.every((one) => isThere(one) || mayMove(one.stream_id ?? 0, one))
  if (!mayAll((one) => one.stream_id === to.channelId, mayMoveChannel)) return t('bulk.may_not_channel')
  if (!mayAll((one) => one.subject === to.topic, mayMoveTopic)) return t('bulk.may_not_topic')
  return undefined
}
