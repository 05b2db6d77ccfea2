import { badRequest } from '../../../../lib/api-error.ts'
import { isObject } from '../../../../lib/is-object.ts'
import { widgetLimits } from './limits.ts'
import { writtenWidget } from './written-widget.ts'

const text = { type: 'string' }
const choice = {
  type: 'object',
  properties: { short_name: text, long_name: text, reply: text },
  required: ['short_name', 'long_name', 'reply'],
}
const extraData = {
  type: 'object',
  properties: {
    type: { const: 'choices' },
    heading: text,
    choices: { type: 'array', items: choice, maxItems: widgetLimits.widgetLength },
  },
  required: ['type', 'heading', 'choices'],
}

/** Describes a widget that a bot sends, which checkedWidget checks. */
export const widgetSchema = {
  contentMediaType: 'application/json',
  contentSchema: {
    type: 'object',
    properties: { widget_type: { const: 'zform' }, extra_data: extraData },
    required: ['widget_type', 'extra_data'],
  },
}

/** Returns the content of the submessage that makes a message a widget, if its content or its sender defines one. */
export function widgetOf(content: string, sent: string | undefined): string | null {
  if (sent !== undefined && sent !== 'null') return spaced(checkedWidget(sent))
  const written = writtenWidget(content)
  return written ? spaced(written) : null
}

/** Returns a widget that a bot sends: buttons for replies. Throws if it is invalid. */
function checkedWidget(sent: string): object {
  const widget = parsed(sent)
  if (!isObject(widget)) throw invalid('widget_content is not a dict')
  for (const key of ['widget_type', 'extra_data']) {
    if (!(key in widget)) throw invalid(`${key} is not in widget_content`)
  }
  const { widget_type, extra_data } = widget
  if (!isObject(extra_data)) throw invalid('extra_data is not a dict')
  if (widget_type !== 'zform') throw invalid(`unknown widget type: ${String(widget_type)}`)
  if (!('type' in extra_data)) throw invalid('zform is missing type field')
  if (extra_data.type !== 'choices') throw invalid(`unknown zform type: ${String(extra_data.type)}`)
  checkChoices(extra_data)
  return widget
}

function checkChoices({ heading, choices }: Record<string, unknown>) {
  if (heading === undefined) throw invalid('heading key is missing from extra_data')
  if (typeof heading !== 'string') throw invalid('extra_data["heading"] is not a string')
  if (choices === undefined) throw invalid('choices key is missing from extra_data')
  if (!Array.isArray(choices)) throw invalid('extra_data["choices"] is not a list')
  for (const [i, choice] of choices.entries()) {
    const place = `extra_data["choices"][${i}]`
    if (!isObject(choice)) throw invalid(`${place} is not a dict`)
    for (const key of ['short_name', 'long_name', 'reply']) {
      if (choice[key] === undefined) throw invalid(`${key} key is missing from ${place}`)
      if (typeof choice[key] !== 'string') throw invalid(`${place}["${key}"] is not a string`)
    }
  }
}

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent)
  } catch {
    throw invalid('API programmer sent invalid JSON content')
  }
}

function invalid(what: string) {
  return badRequest(`Widgets: ${what}`)
}

/** Returns JSON in the form that clients have always received, with a space after each comma and colon. */
function spaced(value: object): string {
  const lines = JSON.stringify(value, null, 1)
  // A line break can only be layout, because strings escape it.
  return lines
    .replace(/([[{])\n */g, '$1')
    .replace(/\n *([\]}])/g, '$1')
    .replace(/\n */g, ' ')
}
