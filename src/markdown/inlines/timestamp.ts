import { element } from '../nodes.ts'
import { matching } from './inline-rule.ts'
import { parseTime } from './parse-time.ts'

/** `<time:2024-06-05T14:30:00+02:00>`: a moment, which clients show in the reader's time zone. */
export const timestamp = matching(['<time:'], /<time:([^>]*)(>|$)/g, ([, written = '', end], context) => {
  // If this one is not closed, neither are those after it.
  if (end === '') return undefined
  const text = context.written(written)
  const moment = parseTime(text)
  if (moment === undefined) {
    return element('span', { class: 'timestamp-error' }, `Invalid time format: ${text}`)
  }
  return element('time', { datetime: moment.toISOString().replace('.000Z', 'Z') }, text)
})
