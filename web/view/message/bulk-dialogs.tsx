import { createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { shownTopic } from '../../store/channels.ts'
import type { Message } from '../../store/messages.ts'
import { clearMarks } from '../feed/marking.ts'
import { Dialog } from '../parts/dialog.tsx'
import { deleteAll, moveAll } from './bulk.ts'
import { nameOfChannel } from './commands.ts'
import { ExtentLine, extentOf, SightLine } from './extent.tsx'
import { Form } from './message-dialogs.tsx'
import { ChannelChoice, channelsFor, TopicName, useTopicNames } from './move.tsx'
import { mayMoveChannel, mayMoveTopic } from './permissions.ts'

type Props = { messages: Message[]; close(): void }

/** Deletes several messages for everyone. */
export function BulkDelete(props: Props) {
  const run = async () => {
    if (await deleteAll(props.messages)) clearMarks()
    props.close()
  }
  return (
    <Dialog title={t('bulk.delete')} close={props.close}>
      <Form submit={t('message.delete')} isDangerous close={props.close} run={run}>
        <ExtentLine extent={extentOf(props.messages)} />
        <p>{t('bulk.delete_question')}</p>
      </Form>
    </Dialog>
  )
}

/** Moves several messages to one topic. */
export function BulkMove(props: Props) {
  const first = props.messages[0]
  const from = [...new Set(props.messages.map(({ stream_id = 0 }) => stream_id))]
  const [channelId, setChannelId] = createSignal(first?.stream_id ?? 0)
  const [topic, setTopic] = createSignal(first?.subject ?? '')
  const names = useTopicNames(channelId)
  const mayChoose = (may: typeof mayMoveTopic) => props.messages.every((one) => may(one.stream_id ?? 0, one))
  const isSame = createMemo(() =>
    props.messages.every((one) => one.stream_id === channelId() && one.subject === topic().trim()),
  )
  const merges = () => names().some((name) => name.toLowerCase() === topic().trim().toLowerCase())
  const run = async () => {
    if (isSame()) return props.close()
    if (await moveAll(props.messages, { channelId: channelId(), topic: topic().trim() })) clearMarks()
    props.close()
  }
  return (
    <Dialog title={t('bulk.move')} close={props.close}>
      <Form submit={t('move.submit')} close={props.close} run={run}>
        <Show when={mayChoose(mayMoveChannel)}>
          <ChannelChoice value={channelId()} channels={channelsFor(from)} choose={setChannelId} />
        </Show>
        <Show when={mayChoose(mayMoveTopic)}>
          <TopicName value={topic()} names={names()} input={setTopic} />
        </Show>
        <ExtentLine extent={extentOf(props.messages)} />
        <Show when={!isSame()}>
          <p class="extent">
            {t(merges() ? 'extent.into_existing' : 'extent.into_new', {
              channel: nameOfChannel(channelId()),
              topic: shownTopic(topic().trim()),
            })}
          </p>
        </Show>
        <For each={from}>{(id) => <SightLine from={id} to={channelId()} />}</For>
      </Form>
    </Dialog>
  )
}
