import { type EventMessage, type EventTexts, eventIntegration } from './event-integration.ts'
import { checkSignature, secretOption } from './integration.ts'
import { firstLine, markdownLink, plain, topic, withBody } from './markdown.ts'
import type { Payload } from './payload.ts'

const verbs: Record<string, string> = {
  'incident.triggered': 'triggered',
  'incident.acknowledged': 'acknowledged',
  'incident.unacknowledged': 'unacknowledged',
  'incident.delegated': 'delegated',
  'incident.escalated': 'escalated',
  'incident.priority_updated': 'changed the priority of',
  'incident.reassigned': 'reassigned',
  'incident.reopened': 'reopened',
  'incident.resolved': 'resolved',
}

const events: EventTexts = {
  ...Object.fromEntries(
    Object.entries(verbs).map(([event, did]) => [event, (payload: Payload) => incidentMessage(payload, did)]),
  ),
  'incident.annotated': (payload) => added(payload, 'added a note to', 'content'),
  'incident.status_update_published': (payload) => added(payload, 'published an update on', 'message'),
  'pagey.ping': (payload) => ({
    topic: 'PagerDuty',
    content: withBody('The webhook of PagerDuty is set up', payload.maybe('event.data.message')),
  }),
}

/** Webhooks of PagerDuty’s version 3. */
export const pagerduty = eventIntegration({
  name: 'pagerduty',
  displayName: 'PagerDuty',
  clientName: 'PagerDuty',
  configOptions: [secretOption],
  check: (incoming, config) => checkSignature(incoming, config, 'x-pagerduty-signature'),
  events,
  eventOf: ({ payload }) => payload.text('event.event_type'),
})

function incidentMessage(payload: Payload, did: string): EventMessage {
  const incident = payload.at('event.data')
  const title = incident.text('title')
  const number = incident.maybe('number')
  const link = markdownLink(`${number ? `#${number}: ` : ''}${firstLine(title)}`, incident.maybe('html_url'))
  const service = incident.maybe('service.summary')
  const line = `${agentOf(payload)} ${did} the incident ${link}`
  const notes = [service && plain(service), did === 'resolved' ? undefined : detailsOf(incident)].filter(
    Boolean,
  )
  const note = notes.length > 0 ? ` (${notes.join('; ')})` : ''
  return { topic: topic(incidentTopic(service, title)), content: `${line}${note}.` }
}

function detailsOf(incident: Payload): string {
  const assignees = incident
    .list('assignees')
    .slice(0, 10)
    .map((one) => plain(one.maybe('summary') ?? '?'))
  return [
    incident.has('urgency') ? `urgency ${plain(incident.text('urgency'))}` : '',
    incident.has('priority.summary') ? `priority ${plain(incident.text('priority.summary'))}` : '',
    assignees.length > 0 ? `assigned to ${assignees.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

/** Notes and updates refer to their incident, and have neither its title nor its service. */
function added(payload: Payload, did: string, field: string): EventMessage {
  const incident = payload.at('event.data.incident')
  const name = incident.maybe('summary') ?? incident.text('id')
  const link = markdownLink(firstLine(name), incident.maybe('html_url'))
  const line = `${agentOf(payload)} ${did} the incident ${link}`
  return { topic: topic(name), content: withBody(line, payload.maybe(`event.data.${field}`)) }
}

function incidentTopic(service: string | undefined, title: string): string {
  return service === undefined ? title : `${service} / ${title}`
}

function agentOf(payload: Payload): string {
  return plain(payload.maybe('event.agent.summary') ?? payload.maybe('event.client.name') ?? 'PagerDuty')
}
