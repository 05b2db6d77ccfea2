import { createEffect, createResource, createSignal, on, onMount } from 'solid-js'
import { bestCandidates, type Candidate } from '../../lib/candidates.ts'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { inOrder } from '../../lib/in-order.ts'
import { channelName, channelOf, shownTopic, subscribed } from '../../store/channels.ts'
import { isPermitted } from '../../store/groups.ts'
import { derived, field } from '../../store/server-state.ts'
import { topicRule } from '../../store/topic-rule.ts'
import { topicsOf } from '../../store/topics.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { Icon } from '../parts/icon.tsx'
import { valueIn } from '../parts/value-in.ts'
import { SuggestionLine } from './pill.tsx'
import { SuggestField } from './suggest-field.tsx'

const rows = 8

/** The channels in which the user may write. */
const offered = derived((): Candidate<number>[] =>
  [...subscribed().values()]
    .filter((one) => !one.is_archived && isPermitted(one.can_send_message_group))
    .sort((a, b) => inOrder(a.name, b.name))
    .map(({ stream_id, name }) => ({ value: stream_id, texts: [plain(name), plain(`#${name}`)] })),
)

/** The channel, which is found by a part of its name. `done`: what follows when one was chosen. */
export function ChannelField(props: { channelId: number; change(channelId: number): void; done(): void }) {
  const [typed, setTyped] = createSignal<string>()
  let input: HTMLInputElement | undefined
  onMount(() => {
    // With a channel, the topic comes next.
    if (props.channelId !== 0) return
    input?.focus()
    // Shows what can be chosen.
    input?.click()
  })
  const name = () => (props.channelId === 0 ? '' : (channelName(props.channelId) ?? ''))
  const choose = (id: number) => {
    if (id !== props.channelId) props.change(id)
    setTyped(undefined)
  }
  return (
    <SuggestField
      label={t('begin.channel')}
      placeholder={t('begin.choose_channel')}
      value={typed() ?? name()}
      input={setTyped}
      options={bestCandidates(offered(), typed() ?? '', offered().length)}
      takesFirst={(typed() ?? '').trim() !== ''}
      show={(id) => <ChannelLine id={id} />}
      choose={(id) => {
        choose(id)
        props.done()
      }}
      done={() => {
        // A user who leaves the field has chosen what is written there, if it is a channel.
        const written = offered().find(({ texts }) => texts.includes(plain(typed() ?? '').trim()))
        choose(written?.value ?? props.channelId)
      }}
      ref={(made) => {
        input = made
        // New letters take the place of the channel in it.
        made.addEventListener('focus', () => made.select())
      }}
    />
  )
}

function ChannelLine(props: { id: number }) {
  return (
    <SuggestionLine name={channelName(props.id) ?? ''} note="">
      <ChannelIcon channel={channelOf(props.id)} />
    </SuggestionLine>
  )
}

type Props = {
  channelId: number
  topic: string
  change(topic: string): void
  done(): void
  focus: boolean
  ref(input: HTMLInputElement): void
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
  // Without them, the name can be typed.
  const options = () => topicsLike(valueIn(topics) ?? [], typed())
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
          props.ref(made)
        }}
      />
    </>
  )
}

function topicsLike(topics: string[], typed: string) {
  const named = topics.filter((topic) => topic !== '')
  return bestCandidates(
    named.map((topic) => ({ value: topic, texts: [plain(topic)] })),
    typed,
    rows,
  )
}
