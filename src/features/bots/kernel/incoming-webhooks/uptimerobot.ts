import { type EventMessage, eventIntegration } from './event-integration.ts'
import { markdownLink, plain, topic } from './markdown.ts'
import type { Payload } from './payload.ts'

// The numbers are UptimeRobot’s types of alerts.
const events: Record<string, { type: string; text: string }> = {
  down: { type: '1', text: '**down**' },
  up: { type: '2', text: 'up again' },
  ssl_expiry: { type: '3', text: 'about to have its certificate expire' },
}

export const uptimerobot = eventIntegration({
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  clientName: 'UptimeRobot',
  isForm: true,
  events: Object.fromEntries(
    Object.entries(events).map(([event, { text }]) => [
      event,
      (payload: Payload) => alertMessage(payload, text),
    ]),
  ),
  eventOf({ payload }) {
    const type = field(payload, 'alertType') ?? payload.text('alert_type')
    return Object.keys(events).find((event) => events[event]?.type === type) ?? type
  },
})

function alertMessage(payload: Payload, text: string): EventMessage {
  const name = field(payload, 'monitorFriendlyName') ?? payload.text('monitor_friendly_name')
  const duration = field(payload, 'alertFriendlyDuration')
  const notes = [field(payload, 'alertDetails'), duration && `after ${duration}`].filter(Boolean).join(', ')
  const monitor = markdownLink(name, field(payload, 'monitorURL'))
  return { topic: topic(name), content: `${monitor} is ${text}${notes ? ` (${plain(notes)})` : ''}.` }
}

/** Returns a field by UptimeRobot’s name, or as people write it in a body of their own (monitorURL, monitor_url). */
function field(payload: Payload, name: string): string | undefined {
  const snake = name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)
  return payload.maybe(name) ?? payload.maybe(snake)
}
