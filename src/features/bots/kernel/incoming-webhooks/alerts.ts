import { badRequest } from '../../../../lib/api-error.ts'
import type { EventMessage } from './event-integration.ts'
import { incomingLimits } from './limits.ts'
import { markdownLink, plain, topic } from './markdown.ts'
import type { Payload } from './payload.ts'

// Groups of alerts, as Prometheus Alertmanager sends them. Grafana sends the same, with more links.

/** Returns the message for a group of alerts: a list of alerts that fire, and a list of alerts that have ended. */
export function alertsMessage(payload: Payload): EventMessage {
  const alerts = payload.list('alerts')
  if (alerts.length === 0) throw badRequest('Malformed payload: alerts is missing')
  const isResolved = (alert: Payload) => alert.maybe('status') === 'resolved'
  const content = [
    ...alertList(
      'Firing',
      alerts.filter((alert) => !isResolved(alert)),
    ),
    ...alertList('Resolved', alerts.filter(isResolved)),
  ].join('\n')
  return { topic: topic(groupName(payload)), content: withTruncated(content, payload) }
}

function alertList(heading: string, alerts: Payload[]): string[] {
  if (alerts.length === 0) return []
  const shown = alerts.slice(0, incomingLimits.webhookAlerts).map(alertLine)
  const more = alerts.length - shown.length
  return [`**${heading}**`, '', ...shown, ...(more > 0 ? [`- … and ${more} more`] : []), '']
}

function alertLine(alert: Payload): string {
  const name = alert.maybe('labels.alertname') ?? 'Alert'
  const text = ['summary', 'description', 'message', 'title']
    .map((key) => alert.maybe(`annotations.${key}`))
    .find((found) => found !== undefined)
  const links = [
    ['dashboard', alert.maybe('dashboardURL')],
    ['panel', alert.maybe('panelURL')],
    ['runbook', alert.maybe('annotations.runbook_url')],
    ['silence', alert.maybe('silenceURL')],
  ].flatMap(([label = '', url]) => (url ? [markdownLink(label, url)] : []))
  const labels = text === undefined ? labelsOf(alert) : undefined
  const tail = links.length > 0 ? ` (${links.join(', ')})` : ''
  const said = text ?? labels
  return `- ${markdownLink(name, alert.maybe('generatorURL'))}${said ? `: ${plain(said)}` : ''}${tail}`
}

/** An alert without a text is told from others by its labels. */
function labelsOf(alert: Payload): string {
  return alert
    .entries('labels')
    .filter(([name]) => name !== 'alertname')
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

function groupName(payload: Payload): string {
  return (
    payload.maybe('groupLabels.alertname') ??
    payload.maybe('commonLabels.alertname') ??
    (payload
      .entries('groupLabels')
      .map(([, value]) => value)
      .join(', ') ||
      payload.maybe('receiver')) ??
    'Alerts'
  )
}

function withTruncated(content: string, payload: Payload): string {
  const left = Number(payload.maybe('truncatedAlerts') ?? 0)
  return left > 0 ? `${content}\n${left} more alerts were not sent.` : content.trimEnd()
}
