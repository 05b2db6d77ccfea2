import { createEffect, createResource, createSignal, For, on, onMount } from 'solid-js'
import { bestCandidates } from '../../lib/candidates.ts'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { inOrder } from '../../lib/in-order.ts'
import { channelName, shownTopic, subscribed } from '../../store/channels.ts'
import { isPermitted } from '../../store/groups.ts'
import { field } from '../../store/server-state.ts'
import { topicRule } from '../../store/topic-rule.ts'
import { topicsOf } from '../../store/topics.ts'
import { Icon } from '../parts/icon.tsx'
import { valueIn } from '../parts/value-in.ts'
import { SuggestField } from './suggest-field.tsx'

const rows = 8

export function ChannelField(props: { channelId: number; change(channelId: number): void }) {
  let select!: HTMLSelectElement
  const all = () =>
    [...subscribed().values()]
      .filter((one) => !one.is_archived && isPermitted(one.can_send_message_group))
      .sort((a, b) => inOrder(a.name, b.name))
  onMount(() => {
    // With a channel, the topic comes next.
    if (props.channelId === 0) select.focus()
  })
  return (
    <select
      ref={select}
      class="field begin-channel"
      aria-label={t('begin.channel')}
      value={props.channelId}
      onChange={(event) => props.change(Number(event.currentTarget.value))}
    >
      <option value="0" disabled selected={props.channelId === 0}>
        {t('begin.choose_channel')}
      </option>
      {/* By ids: events change a channel in place. */}
      <For each={all().map(({ stream_id }) => stream_id)}>
        {(id) => (
          <option value={id} selected={id === props.channelId}>
            # {channelName(id)}
          </option>
        )}
      </For>
    </select>
  )
}

type Props = {
  channelId: number
  topic: string
  change(topic: string): void
  done(): void
  focus: boolean
}

/** The name of a topic, with those that exist as suggestions. */
export function TopicField(props: Props) {
  const [typed, setTyped] = createSignal(props.topic)
  const [topics] = createResource(() => props.channelId || undefined, topicsOf)
  let input: HTMLInputElement | undefined
  createEffect(on(() => props.topic, setTyped, { defer: true }))
  onMount(() => {
    if (props.focus && props.channelId !== 0) input?.focus()
  })
  const options = () => {
    // Without them, the name can be typed.
    const candidates = (valueIn(topics) ?? [])
      .filter((topic) => topic !== '')
      .map((topic) => ({ value: topic, texts: [plain(topic)] }))
    return bestCandidates(candidates, typed(), rows)
  }
  const commit = (topic: string) => {
    setTyped(topic)
    if (topic.trim() !== props.topic) props.change(topic.trim())
  }
  return (
    <>
      <Icon name="right" />
      <SuggestField
        label={t('compose.topic')}
        placeholder={
          topicRule(props.channelId) === 'required'
            ? t('compose.topic')
            : t('begin.topic_or', { name: shownTopic('') })
        }
        value={typed()}
        input={setTyped}
        options={options()}
        show={(topic) => <span dir="auto">{topic}</span>}
        choose={(topic) => {
          commit(topic)
          props.done()
        }}
        done={() => {
          commit(typed())
          if (document.activeElement === input) props.done()
        }}
        maxLength={field('max_topic_length')}
        ref={(made) => {
          input = made
        }}
      />
    </>
  )
}
