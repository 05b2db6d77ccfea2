import { badRequest } from '../../../lib/api-error.ts'
import { isObject } from '../../../lib/is-object.ts'
import { interfaces } from '../kernel/bots/bot-service.ts'

/** The reply of a bot. */
export type Reply = { content: string; widget?: string }

/**
 * Returns the reply in a webhook's response, or undefined if there is none. Throws if the response cannot be parsed. A
 * response without a body is valid.
 */
export function replyIn(body: Buffer, format: number | null): Reply | undefined {
  const text = body.toString().trim()
  if (text === '') return undefined
  const answer = parse(text)
  return format === interfaces.slack ? slackReply(answer) : ownReply(answer)
}

function ownReply(answer: Record<string, unknown>): Reply | undefined {
  if (answer.response_not_required) return undefined
  if (answer.response_string !== undefined) return said(answer.response_string)
  const reply = said(answer.content)
  const { widget_content: widget } = answer
  if (!reply || widget === undefined || widget === null) return reply
  return { ...reply, widget: typeof widget === 'string' ? widget : JSON.stringify(widget) }
}

function slackReply(answer: Record<string, unknown>): Reply | undefined {
  return said(answer.text)
}

function said(content: unknown): Reply | undefined {
  if (content === undefined || content === null) return undefined
  const text = String(content)
  return text.trim() === '' ? undefined : { content: text }
}

function parse(text: string): Record<string, unknown> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw badRequest('Its answer is not valid JSON.')
  }
  if (!isObject(answer)) throw badRequest('Its answer is not a JSON object.')
  return answer
}
