import { createResource, createSignal, For, Show } from 'solid-js'
import { get, postOnce } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { dateAndTime, weekdayAndTime } from '../../lib/time.ts'
import { shownTopic } from '../../store/channels.ts'
import type { Message } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { localTime, sensibleTimes } from '../compose/times.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { channelInText } from '../parts/channel-in-text.ts'
import { Content } from '../parts/content.tsx'
import { copy } from '../parts/copy.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { SelectField, TextInput } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notice } from '../parts/notices.tsx'
import { useSubmission } from '../parts/submission.ts'
import { sourceOf } from './more-commands.ts'

type Props = { message: Message; close(): void }

/** The message as it was written. */
export function Source(props: Props) {
  const [source] = createResource(() => sourceOf(props.message))
  return (
    <Dialog title={t('message.source')} close={props.close}>
      <Loaded resource={source}>
        {(text) => (
          <>
            <pre class="source-text" dir="auto" tabindex="0">
              {text}
            </pre>
            <div class="panel-actions">
              <ActionButton run={() => copy(text, t('code.copied'))}>{t('code.copy')}</ActionButton>
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

type Moment = {
  timestamp: number
  user_id: number | null
  topic: string
  prev_topic?: string
  stream?: number
  prev_stream?: number
  rendered_content: string
  content_html_diff?: string
}

/** How the message came to be as it is, the newest change first. */
export function EditHistory(props: Props) {
  const [story] = createResource(() =>
    get<{ message_history: Moment[] }>(`/messages/${props.message.id}/history`, {
      allow_empty_topic_name: true,
    }),
  )
  return (
    <Dialog title={t('message.history')} close={props.close}>
      <Loaded resource={story}>
        {({ message_history }) => (
          <ol class="edit-story" tabindex="0">
            <For each={message_history.toReversed()}>
              {(moment, index) => (
                <li>
                  <p class="row-head">
                    <strong dir="auto">
                      {moment.user_id === null ? t('card.unknown') : nameOf(moment.user_id)}
                    </strong>
                    <span class="mark">{dateAndTime(moment.timestamp)}</span>
                    <span class="mark">{whatHappened(moment, index() === message_history.length - 1)}</span>
                  </p>
                  <Show when={!moment.prev_topic || moment.content_html_diff}>
                    <Content html={moment.content_html_diff ?? moment.rendered_content} />
                  </Show>
                </li>
              )}
            </For>
          </ol>
        )}
      </Loaded>
    </Dialog>
  )
}

function whatHappened({ topic, prev_topic, prev_stream, stream }: Moment, isFirst: boolean) {
  if (prev_stream !== undefined) {
    return t('history.channel', { from: channelInText(prev_stream), to: channelInText(stream) })
  }
  if (prev_topic !== undefined)
    return t('history.topic', { from: shownTopic(prev_topic), to: shownTopic(topic) })
  return t(isFirst ? 'history.sent' : 'history.edited')
}

const reasons = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const

/** Tells the moderators of a message. */
export function Report(props: Props) {
  const [reason, setReason] = createSignal<string>('spam')
  const [text, setText] = createSignal('')
  const report = async () => {
    await postOnce(`/messages/${props.message.id}/report`, { report_type: reason(), description: text() })
    notice(t('report.done'))
    props.close()
  }
  return (
    <Dialog title={t('message.report')} close={props.close}>
      <Form submit={t('report.submit')} close={props.close} run={report}>
        <p>{t('report.note')}</p>
        <SelectField
          label={t('report.reason')}
          value={reason()}
          options={reasons.map((one) => [one, t(`report.${one}`)])}
          choose={setReason}
        />
        <TextInput
          label={t('report.text')}
          value={text()}
          set={setText}
          isRequired={reason() === 'other'}
          lines={3}
        />
      </Form>
    </Dialog>
  )
}

/** Times that people often want. */
function Moments(props: { isBusy: boolean; choose(time: number): void }) {
  return (
    <ul class="moments">
      <For each={sensibleTimes(new Date())}>
        {({ name, at }) => (
          <li>
            <button type="button" aria-disabled={props.isBusy} onClick={() => props.choose(at.getTime())}>
              {name}
              <span>{weekdayAndTime(at.getTime() / 1000)}</span>
            </button>
          </li>
        )}
      </For>
    </ul>
  )
}

/** Sends the user a reminder of a message later. */
export function Reminder(props: Props) {
  const [at, setAt] = createSignal(localTime(new Date(Date.now() + 3_600_000)))
  const submission = useSubmission()
  const remind = async (time: number) => {
    await postOnce('/reminders', {
      message_id: props.message.id,
      scheduled_delivery_timestamp: Math.floor(time / 1000),
    })
    notice(t('reminder.done', { time: dateAndTime(time / 1000) }))
    props.close()
  }
  return (
    <Dialog title={t('message.remind')} close={props.close}>
      <Moments isBusy={submission.isBusy()} choose={(time) => void submission.run(() => remind(time))} />
      <Form
        submit={t('message.remind')}
        submission={submission}
        close={props.close}
        run={() => remind(Date.parse(at()))}
      >
        <label>
          {t('reminder.at')}
          <input
            class="field"
            type="datetime-local"
            required
            min={localTime(new Date())}
            value={at()}
            onInput={(event) => setAt(event.currentTarget.value)}
          />
        </label>
      </Form>
    </Dialog>
  )
}
