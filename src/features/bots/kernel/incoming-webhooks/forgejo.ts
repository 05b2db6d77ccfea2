import { githubEvents, newsOf } from './github.ts'
import {
  branchesOption,
  checkSignature,
  eventHeader,
  type IncomingWebhook,
  type Integration,
  secretOption,
} from './integration.ts'

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

export const forgejo = forge('forgejo', 'Forgejo', 'ZulipForgejoWebhook')
export const gitea = forge('gitea', 'Gitea', 'ZulipGiteaWebhook')

function forge(name: string, displayName: string, client: string): Integration {
  return {
    name,
    displayName,
    client,
    eventTypes: Object.keys(githubEvents).filter((event) => event !== 'ping'),
    configOptions: [secretOption],
    urlOptions: [branchesOption],
    check: (incoming, config) =>
      checkSignature(incoming, config, 'x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature-256'),
    read(incoming: IncomingWebhook) {
      const event = eventHeader(incoming, 'X-Forgejo-Event', 'X-Gitea-Event', 'X-GitHub-Event')
      return newsOf(incoming, otherNames[event] ?? event)
    },
  }
}
