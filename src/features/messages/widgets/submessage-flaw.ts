import { isObject } from '../../../lib/is-object.ts'
import { validateFields } from './validate-fields.ts'

/**
 * Returns what is wrong with the data of a submessage, if anything. `widget`: the JSON that makes its message a widget, if there is
 * one. `isAuthor`: whether the author of the message sends it.
 */
export function submessageFlaw(widget: string | null, data: unknown, isAuthor: boolean): string | undefined {
  const type = widget && (JSON.parse(widget) as { widget_type: string }).widget_type
  if (type === 'poll') return pollFlaw(data, isAuthor)
  return type === 'todo' ? todoFlaw(data, isAuthor) : undefined
}

function pollFlaw(data: unknown, isAuthor: boolean): string | undefined {
  const name = 'poll data'
  if (!isObject(data)) return `${name} is not a dict`
  switch (data.type) {
    case 'vote':
      return validateFields(name, data, { type: 'string', key: 'string', vote: 'vote' })
    case 'new_option':
      return validateFields(name, data, { type: 'string', option: 'string', idx: 'int' })
    case 'question':
      if (!isAuthor) return "You can't edit a question unless you are the author."
      return validateFields(name, data, { type: 'string', question: 'string' })
    default:
      return unknownType('poll', data)
  }
}

function todoFlaw(data: unknown, isAuthor: boolean): string | undefined {
  const name = 'todo data'
  if (!isObject(data)) return `${name} is not a dict`
  switch (data.type) {
    case 'new_task': {
      const fields = {
        type: 'string',
        key: 'int',
        task: 'string',
        desc: 'string',
        completed: 'bool',
      } as const
      return validateFields(name, data, fields)
    }
    case 'strike':
      return validateFields(name, data, { type: 'string', key: 'string' })
    case 'new_task_list_title':
      if (!isAuthor) return "You can't edit the task list title unless you are the author."
      return validateFields(name, data, { type: 'string', title: 'string' })
    default:
      return unknownType('todo', data)
  }
}

function unknownType(widget: string, { type }: Record<string, unknown>) {
  if (type === undefined) return `type key is missing from ${widget} data`
  if (typeof type !== 'string') return `${widget} data["type"] is not a string`
  return `Unknown type for ${widget} data: ${type}`
}
