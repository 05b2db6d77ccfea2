import { type EventMessage, type EventTexts, eventIntegration } from './event-integration.ts'
import { checkSignature, secretOption } from './integration.ts'
import { incomingLimits } from './limits.ts'
import { firstLine, markdownLink, plain, topic, withBody } from './markdown.ts'
import type { Payload } from './payload.ts'

const events: EventTexts = {
  'jira:issue_created': (payload) => issueMessage(payload, 'created', descriptionOf(payload)),
  'jira:issue_updated': issueUpdated,
  'jira:issue_deleted': (payload) => issueMessage(payload, 'deleted'),
  comment_created: (payload) => commented(payload, 'commented on'),
  comment_updated: (payload) => commented(payload, 'edited a comment on'),
  comment_deleted: (payload) => commented(payload, 'deleted a comment on'),
  sprint_created: (payload) => sprintMessage(payload, 'created'),
  sprint_started: (payload) => sprintMessage(payload, 'started'),
  sprint_closed: (payload) => sprintMessage(payload, 'closed'),
  'jira:version_created': (payload) => versionMessage(payload, 'created'),
  'jira:version_released': (payload) => versionMessage(payload, 'released'),
}

export const jira = eventIntegration({
  name: 'jira',
  displayName: 'Jira',
  clientName: 'Jira',
  configOptions: [secretOption],
  check: (incoming, config) => checkSignature(incoming, config, 'x-hub-signature'),
  events,
  eventOf: ({ payload }) => payload.text('webhookEvent'),
})

function issueMessage(payload: Payload, did: string, body?: string): EventMessage {
  return {
    topic: issueTopic(payload),
    content: withBody(`${userOf(payload)} ${did} ${issueLink(payload)}`, body),
  }
}

/** An update is a change of fields, a comment (without an event of its own in older versions), or both. */
function issueUpdated(payload: Payload): EventMessage {
  const kind = payload.maybe('issue_event_type_name')
  // Jira reports these again as comment_created, comment_updated and comment_deleted.
  if (kind && /^issue_comment/.test(kind)) return undefined
  const changes = payload.list('changelog.items').slice(0, incomingLimits.webhookChanges).map(changeLine)
  const comment = payload.maybe('comment.body')
  if (changes.length === 0) return comment ? commented(payload, 'commented on') : undefined
  const head = `${userOf(payload)} updated ${issueLink(payload)}:`
  return { topic: issueTopic(payload), content: [head, '', ...changes].join('\n') }
}

function changeLine(item: Payload): string {
  const field = plain(item.text('field'))
  const [from, to] = [item.maybe('fromString'), item.maybe('toString')]
  // The old text and the new one are long.
  if (/^(description|comment)$/i.test(field)) return `- ${field} changed`
  if (to === undefined) return `- ${field}: removed${from ? ` ${plain(from)}` : ''}`
  return `- ${field}: ${from ? `${plain(from)} → ` : ''}${plain(to)}`
}

function commented(payload: Payload, did: string): EventMessage {
  const who = payload.maybe('comment.updateAuthor.displayName') ?? payload.maybe('comment.author.displayName')
  const body = did.startsWith('deleted') ? undefined : payload.maybe('comment.body')
  const line = `${who ? plain(who) : userOf(payload)} ${did} ${issueLink(payload)}`
  return { topic: issueTopic(payload), content: withBody(line, body) }
}

function sprintMessage(payload: Payload, did: string): EventMessage {
  const name = payload.text('sprint.name')
  return {
    topic: topic(name),
    content: withBody(`${userOf(payload)} ${did} the sprint ${plain(name)}`, payload.maybe('sprint.goal')),
  }
}

function versionMessage(payload: Payload, did: string): EventMessage {
  const name = payload.text('version.name')
  return {
    topic: topic(`versions / ${name}`),
    content: withBody(`The version ${plain(name)} was ${did}`, payload.maybe('version.description')),
  }
}

function issueTopic(payload: Payload): string {
  return topic(
    `${payload.text('issue.key')}: ${payload.maybe('issue.fields.summary') ?? ''}`.replace(/: $/, ''),
  )
}

function issueLink(payload: Payload): string {
  const key = payload.text('issue.key')
  const summary = payload.maybe('issue.fields.summary')
  return markdownLink(summary ? `${key}: ${firstLine(summary)}` : key, browserAddress(payload, key))
}

/** The payload has only the address for programs, which begins like the one for browsers. */
function browserAddress(payload: Payload, key: string): string | undefined {
  const base = payload.maybe('issue.self')?.match(/^(.*?)\/rest\//)?.[1]
  return base && `${base}/browse/${encodeURIComponent(key)}`
}

function descriptionOf(payload: Payload): string | undefined {
  return payload.maybe('issue.fields.description')
}

function userOf(payload: Payload): string {
  return plain(payload.maybe('user.displayName') ?? payload.maybe('user.name') ?? 'Jira')
}
