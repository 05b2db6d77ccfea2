import { alertsMessage } from './alerts.ts'
import { type EventMessage, eventIntegration } from './event-integration.ts'
import { checkSignature, secretOption } from './integration.ts'
import { markdownLink, plain, topic, withBody } from './markdown.ts'
import type { Payload } from './payload.ts'

export const grafana = eventIntegration({
  name: 'grafana',
  displayName: 'Grafana',
  clientName: 'Grafana',
  configOptions: [secretOption],
  check: (incoming, config) => checkSignature(incoming, config, 'x-grafana-alerting-signature'),
  events: {
    firing: alertsMessage,
    resolved: alertsMessage,
    alerting: oldAlert('Alerting'),
    ok: oldAlert('OK'),
    no_data: oldAlert('No data'),
    paused: oldAlert('Paused'),
    pending: oldAlert('Pending'),
  },
  // Alerts since Grafana 8 have a status; those of Grafana 10 and older without unified alerting have only a state.
  eventOf: ({ payload }) => payload.maybe('status') ?? payload.text('state'),
})

function oldAlert(state: string): (payload: Payload) => EventMessage {
  return (payload) => {
    const name = payload.maybe('ruleName') ?? payload.text('title')
    const values = payload
      .list('evalMatches')
      .map((match) => `${plain(match.maybe('metric') ?? 'value')} = ${plain(match.maybe('value') ?? '?')}`)
    const line = `**${state}**: ${markdownLink(name, payload.maybe('ruleUrl'))}`
    const note = values.length > 0 ? ` (${values.slice(0, 10).join(', ')})` : ''
    return { topic: topic(name), content: withBody(line + note, payload.maybe('message')) }
  }
}
