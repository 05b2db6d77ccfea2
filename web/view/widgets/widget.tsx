import './widget.css'
import { createMemo, For, Match, Show, Switch } from 'solid-js'
import { writtenWidget } from '../../../src/features/messages/kernel/widgets/written-widget.ts'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { nextIndex, type Poll, type TaskList, widgetOf } from '../../lib/widget.ts'
import type { Message } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import { mayReact } from '../message/permissions.ts'
import { Content } from '../parts/content.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { useSubmission, useTyped } from '../parts/submission.ts'

/** A poll or a list of tasks in the place of the message's text. */
export function Widget(props: { message: Message }) {
  const widget = createMemo(() => widgetOf(props.message.submessages, props.message.sender_id))
  const send = (content: object) =>
    post('/submessage', {
      message_id: props.message.id,
      msg_type: 'widget',
      content: JSON.stringify(content),
    })
  const submit = () => (mayReact(props.message) ? send : undefined)
  const poll = () => {
    const one = widget()
    return one?.kind === 'poll' ? one : undefined
  }
  const tasks = () => {
    const one = widget()
    return one?.kind === 'todo' ? one : undefined
  }
  const next = () => nextIndex(props.message.submessages, currentState().user_id)
  return (
    <Switch fallback={<Content html={props.message.content} />}>
      <Match when={poll()}>{(one) => <PollView poll={one()} next={next()} submit={submit()} />}</Match>
      <Match when={tasks()}>{(one) => <TasksView list={one()} next={next()} submit={submit()} />}</Match>
    </Switch>
  )
}

/** Shows the widget that a text will be once it is sent. Nobody can vote in it. */
export function WidgetPreview(props: { text: string }) {
  const widget = createMemo(() => {
    const content = JSON.stringify(writtenWidget(props.text.trim()) ?? {})
    return widgetOf([{ sender_id: 0, content }], 0)
  })
  const poll = () => widget()?.kind === 'poll' && (widget() as Poll)
  const tasks = () => widget()?.kind === 'todo' && (widget() as TaskList)
  return (
    <Switch>
      <Match when={poll()}>{(one) => <PollView poll={one()} next={0} />}</Match>
      <Match when={tasks()}>{(one) => <TasksView list={one()} next={0} />}</Match>
    </Switch>
  )
}

type Submit = (content: object) => Promise<unknown>

function PollView(props: { poll: Poll; next: number; submit?: Submit | undefined }) {
  const total = () => new Set(props.poll.options.flatMap(({ voters }) => voters)).size
  // By key, so that a vote does not take the focus from the button that was pressed.
  const keys = createMemo(() => props.poll.options.map(({ key }) => key), undefined, { equals: isSameList })
  return (
    <section class="widget" aria-label={t('poll.label')}>
      <h3 dir="auto">{props.poll.question || t('poll.label')}</h3>
      <ul>
        <For each={keys()}>
          {(key) => (
            <OptionLine
              option={props.poll.options.find((one) => one.key === key)}
              total={total()}
              vote={
                props.submit &&
                ((vote) => void props.submit?.({ type: 'vote', key, vote }).catch(noticeFailure))
              }
            />
          )}
        </For>
      </ul>
      <Show when={props.submit}>
        {(submit) => (
          <AddLine
            label={t('poll.add')}
            add={(option) => submit()({ type: 'new_option', idx: props.next, option })}
          />
        )}
      </Show>
    </section>
  )
}

/** One answer of a poll with its votes. `vote` sends one for it (1), or takes it back (-1). */
function OptionLine(props: {
  option: Poll['options'][number] | undefined
  total: number
  vote: ((vote: 1 | -1) => void) | undefined
}) {
  const voters = () => props.option?.voters ?? []
  const isChosen = () => voters().includes(currentState().user_id)
  return (
    <li>
      <button
        type="button"
        class="vote"
        disabled={!props.vote}
        aria-pressed={isChosen()}
        title={voters().map(nameOf).join(', ')}
        onClick={() => props.vote?.(isChosen() ? -1 : 1)}
      >
        <span
          class="vote-bar"
          style={{ 'inline-size': `${(voters().length / Math.max(1, props.total)) * 100}%` }}
        />
        <span class="vote-count">{voters().length}</span>
        <span class="vote-text" dir="auto">
          {props.option?.text}
        </span>
        <Show when={isChosen()}>
          <Icon name="check" />
        </Show>
        <span class="vote-people">{voters().slice(0, 3).map(nameOf).join(', ')}</span>
      </button>
    </li>
  )
}

function TasksView(props: { list: TaskList; next: number; submit?: Submit | undefined }) {
  const keys = createMemo(() => props.list.tasks.map(({ key }) => key), undefined, { equals: isSameList })
  return (
    <section class="widget" aria-label={t('todo.label')}>
      <h3 dir="auto">{props.list.title || t('todo.label')}</h3>
      <ul>
        <For each={keys()}>
          {(key) => <TaskLine task={props.list.tasks.find((one) => one.key === key)} submit={props.submit} />}
        </For>
      </ul>
      <Show when={props.submit}>
        {(submit) => (
          <AddLine
            label={t('todo.add')}
            add={(task) => submit()({ type: 'new_task', key: props.next, task, desc: '', completed: false })}
          />
        )}
      </Show>
    </section>
  )
}

/** One task, which is ticked, or its tick taken back. */
function TaskLine(props: { task: TaskList['tasks'][number] | undefined; submit: Submit | undefined }) {
  // A memo: other changes of the message do not take back a tick that is on its way to the server.
  const isDone = createMemo(() => props.task?.isDone ?? false)
  return (
    <li>
      <label class="task">
        <input
          type="checkbox"
          checked={isDone()}
          disabled={!props.submit}
          onChange={({ currentTarget }) =>
            void props.submit?.({ type: 'strike', key: props.task?.key }).catch((error) => {
              currentTarget.checked = isDone()
              noticeFailure(error)
            })
          }
        />
        <span dir="auto">
          <strong>{props.task?.text}</strong>
          <Show when={props.task?.note}>
            <span class="task-note"> {props.task?.note}</span>
          </Show>
        </span>
      </label>
    </li>
  )
}

/** Adds an answer or a task. What the server refuses stays in the field. */
function AddLine(props: { label: string; add(text: string): Promise<unknown> }) {
  const line = useTyped('')
  const { isBusy, error, run } = useSubmission()
  const add = () => line.send((typed) => props.add(typed.trim()))
  return (
    <form
      class="widget-add"
      onSubmit={(event) => {
        event.preventDefault()
        if (line.value().trim()) void run(add)
      }}
    >
      <input
        class="field"
        dir="auto"
        placeholder={props.label}
        aria-label={props.label}
        value={line.value()}
        onInput={(event) => line.set(event.currentTarget.value)}
      />
      {/* A disabled button would lose the focus. */}
      <button type="submit" class="button" aria-disabled={isBusy() || !line.value().trim()}>
        {t('widget.add')}
      </button>
      <ErrorText error={error()} />
    </form>
  )
}

function isSameList(a: string[], b: string[]) {
  return a.join('\n') === b.join('\n')
}
