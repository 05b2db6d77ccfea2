import { alertmanager } from './alertmanager.ts'
import { forgejo, gitea } from './forgejo.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { grafana } from './grafana.ts'
import type { Integration } from './integration.ts'
import { jenkins } from './jenkins.ts'
import { jira } from './jira.ts'
import { parsePayload } from './json.ts'
import { pagerduty } from './pagerduty.ts'
import { sentry } from './sentry.ts'
import { slackIncoming } from './slack-incoming.ts'
import { uptimerobot } from './uptimerobot.ts'
import { zabbix } from './zabbix.ts'

/** All supported kinds of services. */
export const integrations: readonly Integration[] = [
  alertmanager,
  forgejo,
  gitea,
  github,
  gitlab,
  grafana,
  jenkins,
  jira,
  parsePayload,
  pagerduty,
  sentry,
  slackIncoming,
  uptimerobot,
  zabbix,
]

/** Returns the integrations for clients. */
export function integrationsView() {
  return integrations.map(({ name, displayName, eventTypes, configOptions, urlOptions }) => ({
    name,
    display_name: displayName,
    all_event_types: eventTypes,
    config_options: configOptions,
    url_options: urlOptions, // level 403
  }))
}
