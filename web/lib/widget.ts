// Polls and lists of tasks. The first submessage of a message says what it is; those after it are what people did, and the
// whole is their sum, in order. What does not fit is passed over, as other clients do.

type Submessage = { sender_id: number; content: string }

export type Poll = {
  kind: 'poll'
  question: string
  options: { key: string; text: string; voters: number[] }[]
}
export type TaskList = {
  kind: 'todo'
  title: string
  tasks: { key: string; text: string; note: string; isDone: boolean }[]
}

type Data = Record<string, unknown>

/** Returns the poll or list that submessages make; undefined for anything else. */
export function widgetOf(submessages: readonly Submessage[], authorId: number): Poll | TaskList | undefined {
  const [first, ...rest] = submessages
  const data = first && parsed(first.content)
  const extra = (data?.extra_data ?? {}) as Data
  if (data?.widget_type === 'poll') return pollOf(extra, rest, authorId)
  if (data?.widget_type === 'todo') return tasksOf(extra, rest, authorId)
  return undefined
}

function pollOf(extra: Data, rest: Submessage[], authorId: number): Poll {
  const options = new Map<string, Poll['options'][number]>()
  const add = (key: string, text: unknown) => {
    if (typeof text !== 'string' || options.has(key)) return
    if ([...options.values()].some((one) => one.text === text)) return
    options.set(key, { key, text, voters: [] })
  }
  for (const [index, text] of list(extra.options).entries()) add(`canned,${index}`, text)
  let question = textOf(extra.question)
  for (const { sender_id, content } of rest) {
    const data = parsed(content)
    if (data?.type === 'new_option') add(`${sender_id},${textOf(data.idx)}`, data.option)
    else if (data?.type === 'question' && sender_id === authorId) question = textOf(data.question)
    else if (data?.type === 'vote') {
      const option = options.get(textOf(data.key))
      if (!option) continue
      option.voters = option.voters.filter((id) => id !== sender_id)
      if (data.vote === 1) option.voters.push(sender_id)
    }
  }
  return { kind: 'poll', question, options: [...options.values()] }
}

function tasksOf(extra: Data, rest: Submessage[], authorId: number): TaskList {
  const tasks = new Map<string, TaskList['tasks'][number]>()
  const add = (key: string, { task, desc, completed }: Data) => {
    if (typeof task !== 'string' || tasks.has(key)) return
    if ([...tasks.values()].some(({ text }) => text === task)) return
    tasks.set(key, { key, text: task, note: textOf(desc), isDone: completed === true })
  }
  for (const [index, task] of list(extra.tasks).entries()) add(`${index},canned`, (task ?? {}) as Data)
  let title = textOf(extra.task_list_title)
  for (const { sender_id, content } of rest) {
    const data = parsed(content)
    if (data?.type === 'new_task') add(`${textOf(data.key)},${sender_id}`, data)
    else if (data?.type === 'new_task_list_title' && sender_id === authorId) title = textOf(data.title)
    else if (data?.type === 'strike') {
      const task = tasks.get(textOf(data.key))
      if (task) task.isDone = !task.isDone
    }
  }
  return { kind: 'todo', title, tasks: [...tasks.values()] }
}

/** Returns a number for a user's next option or task: one more than any so far, so that keys do not meet. */
export function nextIndex(submessages: readonly Submessage[], userId: number): number {
  const used = submessages
    .filter(({ sender_id }) => sender_id === userId)
    .map(({ content }) => parsed(content))
    .map((data) => Number(data?.idx ?? (data?.type === 'new_task' ? data.key : 0)))
  return Math.max(0, ...used.filter(Number.isInteger)) + 1
}

function parsed(content: string): Data | undefined {
  try {
    const data: unknown = JSON.parse(content)
    return typeof data === 'object' && data !== null ? (data as Data) : undefined
  } catch {
    return undefined
  }
}

/** Anyone may have sent anything: an object that says it has no text would break what shows the message. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
