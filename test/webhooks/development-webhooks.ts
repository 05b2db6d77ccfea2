import type { Sample } from './monitoring-webhooks.ts'

const user = { displayName: 'Ann', name: 'ann' }
const issue = {
  id: '10002',
  self: 'https://jira.example/base/rest/api/2/issue/10002',
  key: 'SHOP-3',
  fields: { summary: 'Count [twice]', description: 'Once is *not* enough', status: { name: 'To Do' } },
}
const jiraLink = '[SHOP-3: Count ［twice］](https://jira.example/base/browse/SHOP-3)'
const jiraTopic = 'SHOP-3: Count [twice]'

const incident = {
  id: 'PGR0VU2',
  type: 'incident',
  html_url: 'https://acme.pagerduty.com/incidents/PGR0VU2',
  number: 2,
  status: 'triggered',
  title: 'Orders fail',
  service: { summary: 'Shop', html_url: 'https://acme.pagerduty.com/services/1' },
  assignees: [{ summary: 'Ben', html_url: 'https://acme.pagerduty.com/users/1' }],
  priority: { summary: 'P1' },
  urgency: 'high',
}
const pager = (event_type: string, data: object) => ({
  event: { id: '5', event_type, resource_type: 'incident', agent: { summary: 'Ann' }, data },
})

const sentryIssue = {
  id: '1',
  shortId: 'SHOP-1',
  title: "TypeError: can't count",
  culprit: 'count(items)',
  web_url: 'https://acme.sentry.io/issues/1/',
  level: 'error',
  assignedTo: { type: 'user', name: 'Ben' },
}
const sentryLink = "[TypeError: can't count](https://acme.sentry.io/issues/1/)"
const actor = { type: 'user', id: 1, name: 'Ann' }

export const development: Sample[] = [
  {
    integration: 'jira',
    sent: { timestamp: 1, webhookEvent: 'jira:issue_created', user, issue },
    event: 'jira:issue_created',
    topic: jiraTopic,
    content: `Ann created ${jiraLink}:\n\n\`\`\`quote\nOnce is *not* enough\n\`\`\``,
  },
  {
    integration: 'jira',
    sent: {
      webhookEvent: 'jira:issue_updated',
      issue_event_type_name: 'issue_generic',
      user,
      issue,
      changelog: {
        items: [
          { field: 'status', fromString: 'To Do', toString: 'Done' },
          { field: 'assignee', from: null, fromString: null, to: 'ben', toString: 'Ben' },
          { field: 'description', fromString: 'a', toString: 'b' },
          { field: 'Sprint', fromString: 'One', toString: '' },
        ],
      },
    },
    event: 'jira:issue_updated',
    topic: jiraTopic,
    content: `Ann updated ${jiraLink}:\n\n- status: To Do → Done\n- assignee: Ben\n- description changed\n- Sprint: removed One`,
  },
  {
    integration: 'jira',
    sent: { webhookEvent: 'comment_created', issue, comment: { body: 'Why?', author: user } },
    event: 'comment_created',
    topic: jiraTopic,
    content: `Ann commented on ${jiraLink}:\n\n\`\`\`quote\nWhy?\n\`\`\``,
  },
  {
    integration: 'jenkins',
    sent: {
      name: 'shop',
      display_name: 'shop',
      url: 'job/shop/',
      build: {
        full_url: 'https://ci.example/job/shop/18/',
        number: 18,
        phase: 'COMPLETED',
        status: 'FAILURE',
        scm: { branch: 'origin/main', commit: 'c6d86dc654b12425e706bcf951adfe5a8627a517' },
        artifacts: {},
      },
    },
    event: 'COMPLETED',
    topic: 'shop',
    content: 'The build [shop #18](https://ci.example/job/shop/18/) **failed** (origin/main, c6d86dc654).',
  },
  {
    integration: 'pagerduty',
    sent: pager('incident.triggered', incident),
    event: 'incident.triggered',
    topic: 'Shop / Orders fail',
    content:
      'Ann triggered the incident [#2: Orders fail](https://acme.pagerduty.com/incidents/PGR0VU2) (Shop; urgency high; priority P1; assigned to Ben).',
  },
  {
    integration: 'pagerduty',
    sent: pager('incident.annotated', {
      id: 'P1',
      type: 'incident_note',
      content: 'Restarted it',
      incident: { id: 'PGR0VU2', summary: '[#2] Orders fail', html_url: incident.html_url },
    }),
    event: 'incident.annotated',
    topic: '[#2] Orders fail',
    content:
      'Ann added a note to the incident [［#2］ Orders fail](https://acme.pagerduty.com/incidents/PGR0VU2):\n\n```quote\nRestarted it\n```',
  },
  {
    integration: 'sentry',
    headers: { 'sentry-hook-resource': 'issue' },
    sent: { action: 'assigned', installation: { uuid: 'a' }, data: { issue: sentryIssue }, actor },
    event: 'issue',
    topic: "TypeError: can't count",
    content: `Ann assigned the issue ${sentryLink} to Ben.`,
  },
  {
    integration: 'sentry',
    headers: { 'sentry-hook-resource': 'event_alert' },
    sent: { action: 'triggered', data: { event: sentryIssue, triggered_rule: 'Many errors' }, actor },
    event: 'event_alert',
    topic: "TypeError: can't count",
    content: `**error**: ${sentryLink} (rule: Many errors):\n\n\`\`\`quote\ncount(items)\n\`\`\``,
  },
  {
    integration: 'sentry',
    headers: { 'sentry-hook-resource': 'metric_alert' },
    sent: {
      action: 'critical',
      data: {
        metric_alert: { alert_rule: { name: 'Slow pages' } },
        web_url: 'https://acme.sentry.io/alerts/1/',
        description_text: '95 ms in the last 10 minutes',
      },
    },
    event: 'metric_alert',
    topic: 'Slow pages',
    content:
      '**critical**: [Slow pages](https://acme.sentry.io/alerts/1/):\n\n```quote\n95 ms in the last 10 minutes\n```',
  },
  {
    integration: 'sentry',
    sent: {
      project: 'shop',
      project_name: 'Shop',
      culprit: 'count(items)',
      level: 'warning',
      url: 'https://acme.sentry.io/issues/1/',
      event: { title: "TypeError: can't count", event_id: 'a' },
    },
    event: 'plugin',
    topic: "TypeError: can't count",
    content: `**warning** in Shop: ${sentryLink}:\n\n\`\`\`quote\ncount(items)\n\`\`\``,
  },
]
