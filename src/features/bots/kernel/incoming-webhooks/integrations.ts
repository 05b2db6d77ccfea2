import { forgejo, gitea } from './forgejo.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { Integration } from './integration.ts'
import { parsePayload } from './json.ts'
import { slackIncoming } from './slack-incoming.ts'

/** All supported kinds of services. */
export const integrations: readonly Integration[] = [
  forgejo,
  gitea,
  github,
  gitlab,
  parsePayload,
  slackIncoming,
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
