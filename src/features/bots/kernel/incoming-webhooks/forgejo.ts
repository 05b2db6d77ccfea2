import { eventIntegration } from './event-integration.ts'
import { githubEvents } from './github.ts'
import { branchesOption, checkSignature, eventHeader, secretOption } from './integration.ts'

// Forgejo and Gitea send nearly the same as GitHub, but some events have other names.

const otherNames: Record<string, string> = {
  pull_request_comment: 'issue_comment',
  pull_request_sync: 'pull_request',
  pull_request_assign: 'pull_request',
  pull_request_label: 'pull_request',
  pull_request_review_request: 'pull_request',
  pull_request_approved: 'pull_request_review',
  pull_request_review_approved: 'pull_request_review',
  pull_request_rejected: 'pull_request_review',
  pull_request_review_rejected: 'pull_request_review',
  issue_assign: 'issues',
  issue_label: 'issues',
}

export const forgejo = forge('forgejo', 'Forgejo')
export const gitea = forge('gitea', 'Gitea')

function forge(name: string, displayName: string) {
  return eventIntegration({
    name,
    displayName,
    clientName: displayName,
    eventTypes: Object.keys(githubEvents).filter((event) => event !== 'ping'),
    configOptions: [secretOption],
    urlOptions: [branchesOption],
    check: (incoming, config) =>
      checkSignature(incoming, config, 'x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature-256'),
    events: githubEvents,
    eventOf(incoming) {
      const event = eventHeader(incoming, 'X-Forgejo-Event', 'X-Gitea-Event', 'X-GitHub-Event')
      return (Object.hasOwn(otherNames, event) && otherNames[event]) || event
    },
  })
}
