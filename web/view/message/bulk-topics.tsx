import { createResource, createSignal, For, Show } from 'solid-js'
import { get, post } from '../../api/client.ts'
import { ShownError } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { lowerName } from '../../lib/same-name.ts'
import { isResolved, shownTopic, withResolvedToggled } from '../../store/channels.ts'
import { field } from '../../store/server-state.ts'
import { channelInText } from '../parts/channel-in-text.ts'
import { openDialog } from '../parts/dialog.tsx'
import { Dialog } from '../parts/dialog-panel.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { Form } from '../parts/form.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { changeTopic, newestIn } from '../topic/commands.ts'
import { whenAllowed } from './bulk.ts'
import { type BulkAct, BulkToolbar } from './bulk-toolbar.tsx'
import { type Extent, Extents, joined, SightLine } from './extent.tsx'
import { ChannelChoice, channelsFor, useTopicNames } from './move.tsx'
import { mayMoveChannel, mayResolve } from './permissions.ts'

/** A topic, by its name alone: its messages may be elsewhere by the time that something is done with it. */
type ChosenTopic = { name: string }

type Props = {
  channelId: number
  topics: ChosenTopic[]
  /** Called when something was done with all of these, while others may have been chosen. */
  done(topics: ChosenTopic[]): void
}

/** Shows the actions for several topics of a channel. */
export function BulkTopics(props: Props & { end(): void }) {
  const resolve = async () => {
    const { channelId, topics } = props
    if (await resolveAll(channelId, topics)) props.done(topics)
  }
  const acts = (): BulkAct[] => [
    {
      name: t('topic.resolve'),
      icon: 'check',
      refusal: mayResolve(props.channelId) ? undefined : t('bulk.may_not'),
      run: () => void resolve(),
    },
    {
      name: t('message.move'),
      icon: 'move',
      refusal: mayMoveChannel(props.channelId) ? undefined : t('bulk.may_not'),
      run: () => openDialog((close) => <MoveTopics {...props} close={close} />),
    },
    {
      name: t('message.delete'),
      icon: 'trash',
      isDangerous: true,
      refusal: field('is_admin') ? undefined : t('channel.only_organization_administrators'),
      run: () => openDialog((close) => <DeleteTopics {...props} close={close} />),
    },
  ]
  return (
    <BulkToolbar label={t('bulk.topics')} count={props.topics.length} acts={acts()} end={() => props.end()} />
  )
}

/** One topic after the other; the first that fails ends it. Returns whether all were done. */
async function eachTopic(
  topics: ChosenTopic[],
  act: (topic: ChosenTopic) => Promise<unknown>,
): Promise<boolean> {
  let count = 0
  try {
    for (const topic of topics) {
      await act(topic)
      count++
    }
    return true
  } catch (error) {
    noticeFailure(error)
    return false
  } finally {
    if (count > 0) notice(t('bulk.topics_done', { count }))
  }
}

/** Returns a message that is in the topic now: through one that has moved away, another topic would be changed. */
async function messageIn(channelId: number, { name }: ChosenTopic): Promise<number> {
  const message = await whenAllowed(() => newestIn({ channelId, topic: name }))
  if (!message) throw new ShownError(t('bulk.topic_gone', { name: shownTopic(name) }))
  return message.id
}

async function changeWhole(channelId: number, topic: ChosenTopic, params: Record<string, unknown>) {
  const id = await messageIn(channelId, topic)
  return whenAllowed(() => changeTopic(id, params))
}

function resolveAll(channelId: number, topics: ChosenTopic[]) {
  const open = topics.filter(({ name }) => name !== '' && !isResolved(name))
  return eachTopic(open, (topic) => changeWhole(channelId, topic, { topic: withResolvedToggled(topic.name) }))
}

/** Deletes a topic with all its messages. A large one takes several requests. */
export async function deleteTopic(channelId: number, topic: string): Promise<void> {
  const path = `/streams/${channelId}/delete_topic`
  const { complete } = await whenAllowed(() => post<{ complete: boolean }>(path, { topic_name: topic }))
  if (!complete) await deleteTopic(channelId, topic)
}

/** The messages of several topics; undefined until they are counted. */
function useExtents({ channelId, topics }: Props) {
  const [extent] = createResource(async () => {
    const each = topics.map(async (topic) => {
      const id = await messageIn(channelId, topic)
      return get<Extent>(`/rookery/messages/${id}/move_extent`, { propagate_mode: 'change_all' })
    })
    return joined(await Promise.all(each))
  })
  return extent
}

function Names(props: { topics: ChosenTopic[] }) {
  return (
    <ul class="consequences">
      <For each={props.topics}>{({ name }) => <li dir="auto">{shownTopic(name)}</li>}</For>
    </ul>
  )
}

export function DeleteTopics(props: Props & { close(): void }) {
  const extent = useExtents(props)
  const run = async () => {
    const { channelId, topics } = props
    const isDone = await eachTopic(topics, ({ name }) => deleteTopic(channelId, name))
    props.close()
    if (isDone) props.done(topics)
  }
  return (
    <Dialog title={t('bulk.delete_topics')} close={props.close}>
      <Form submit={t('message.delete')} isDangerous close={props.close} run={run}>
        <Names topics={props.topics} />
        <Extents extent={extent} />
        <p>{t('bulk.delete_question')}</p>
      </Form>
    </Dialog>
  )
}

function MoveTopics(props: Props & { close(): void }) {
  const [to, setTo] = createSignal(props.channelId)
  const names = useTopicNames(to)
  const extent = useExtents(props)
  const merging = () => {
    const there = new Set(names.all().map(lowerName))
    return props.topics.filter(({ name }) => there.has(lowerName(name)))
  }
  const run = async () => {
    const { channelId, topics } = props
    if (to() === channelId) return props.close()
    const isDone = await eachTopic(topics, (topic) => changeWhole(channelId, topic, { stream_id: to() }))
    props.close()
    if (isDone) props.done(topics)
  }
  return (
    <Dialog title={t('bulk.move_topics')} close={props.close}>
      <Form submit={t('move.submit')} close={props.close} run={run}>
        <Names topics={props.topics} />
        <ChannelChoice value={to()} channels={channelsFor([props.channelId])} choose={setTo} />
        <Extents extent={extent} />
        <ErrorText error={names.failure()} />
        <Show when={to() !== props.channelId}>
          <SightLine from={props.channelId} to={to()} />
          <For each={merging()}>
            {({ name }) => (
              <p class="error-text" role="status">
                {t('extent.into_existing', { channel: channelInText(to()), topic: shownTopic(name) })}
              </p>
            )}
          </For>
        </Show>
      </Form>
    </Dialog>
  )
}
