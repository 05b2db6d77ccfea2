import { ApiError } from '../../../../lib/api-error.ts'
import { type EventMessage, eventIntegration } from './event-integration.ts'
import { checkSignature, type IncomingWebhook, secretOption } from './integration.ts'
import { firstLine, markdownLink, plain, topic, withBody } from './markdown.ts'
import type { Payload } from './payload.ts'

export const sentry = eventIntegration({
  name: 'sentry',
  displayName: 'Sentry',
  clientName: 'Sentry',
  configOptions: [secretOption],
  check: (incoming, config) => checkSignature(incoming, config, 'sentry-hook-signature'),
  events: {
    issue: issueChanged,
    event_alert: (payload) => occurred(payload.at('data.event'), payload.maybe('data.triggered_rule')),
    error: (payload) => occurred(payload.at('data.error')),
    metric_alert: metricAlert,
    comment: commented,
    installation: (payload) => ({
      topic: 'Sentry',
      content: `The integration with Sentry was ${plain(payload.text('action'))}.`,
    }),
    plugin: pluginMessage,
  },
  eventOf,
})

/** The older plugin for webhooks sends no header. */
function eventOf({ payload, header }: IncomingWebhook): string {
  const resource = header('sentry-hook-resource')
  if (resource) return resource
  if (payload.has('event') && payload.has('project_name')) return 'plugin'
  throw new ApiError("Missing the HTTP event header 'Sentry-Hook-Resource'", 'MISSING_HTTP_EVENT_HEADER')
}

const actions: Record<string, string> = {
  created: 'reported',
  resolved: 'resolved',
  unresolved: 'reopened',
  assigned: 'assigned',
  archived: 'archived',
  ignored: 'archived', // the older name
}

function issueChanged(payload: Payload): EventMessage {
  const action = payload.text('action')
  if (!Object.hasOwn(actions, action)) return undefined
  const issue = payload.at('data.issue')
  const title = issue.text('title')
  // Answers of Sentry’s own API have the address for browsers as `permalink`, webhooks as `web_url`.
  const link = markdownLink(firstLine(title), issue.maybe('web_url') ?? issue.maybe('permalink'))
  const assignee = action === 'assigned' ? issue.maybe('assignedTo.name') : undefined
  const line = `${plain(payload.maybe('actor.name') ?? 'Sentry')} ${actions[action]} the issue ${link}`
  const content = withBody(
    line + (assignee ? ` to ${plain(assignee)}` : ''),
    action === 'created' ? issue.maybe('culprit') : undefined,
  )
  return { topic: topic(title), content }
}

/** Returns the message for an error that has occurred, perhaps one that an alert rule is about. */
function occurred(event: Payload, rule?: string): EventMessage {
  const title = event.maybe('title') ?? event.text('message')
  const level = event.maybe('level') ?? 'error'
  const link = markdownLink(firstLine(title), event.maybe('web_url') ?? event.maybe('url'))
  const line = `**${plain(level)}**: ${link}${rule ? ` (rule: ${plain(rule)})` : ''}`
  return { topic: topic(title), content: withBody(line, event.maybe('culprit')) }
}

function metricAlert(payload: Payload): EventMessage {
  const data = payload.at('data')
  const title = data.maybe('metric_alert.alert_rule.name') ?? data.text('description_title')
  const line = `**${plain(payload.text('action'))}**: ${markdownLink(title, data.maybe('web_url'))}`
  return { topic: topic(title), content: withBody(line, data.maybe('description_text')) }
}

function commented(payload: Payload): EventMessage {
  const verbs: Record<string, string> = { created: 'commented on', updated: 'edited a comment on' }
  const action = payload.text('action')
  if (!Object.hasOwn(verbs, action)) return undefined
  const issue = `issue ${payload.text('data.issue_id')}`
  const project = payload.maybe('data.project_slug') ?? 'Sentry'
  const line = `${plain(payload.maybe('actor.name') ?? 'Sentry')} ${verbs[action]} ${plain(issue)}`
  return { topic: topic(`${project} / ${issue}`), content: withBody(line, payload.maybe('data.comment')) }
}

function pluginMessage(payload: Payload): EventMessage {
  const title = payload.maybe('event.title') ?? payload.maybe('message') ?? payload.text('culprit')
  const link = markdownLink(firstLine(title), payload.maybe('url'))
  const line = `**${plain(payload.maybe('level') ?? 'error')}** in ${plain(payload.text('project_name'))}: ${link}`
  return { topic: topic(title), content: withBody(line, payload.maybe('culprit')) }
}
