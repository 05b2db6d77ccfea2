import { type EventMessage, type EventTexts, eventIntegration } from './event-integration.ts'
import {
  branchTopic,
  commentText,
  commitLink,
  type ForgeCommit,
  type Issuable,
  issuableLink,
  issuableText,
  issuableTopic,
  isWanted,
  pushText,
  refName,
  releaseText,
  tagText,
} from './forge.ts'
import {
  branchesOption,
  checkSignature,
  eventHeader,
  type IncomingWebhook,
  secretOption,
} from './integration.ts'
import { firstLine, markdownLink, plain, topic } from './markdown.ts'
import type { Payload } from './payload.ts'

/** The texts for each event of GitHub and of the forges that send the same events. */
export const githubEvents: EventTexts = {
  ping: (payload) => ({
    topic: topic(repositoryOf(payload)),
    content:
      `The webhook of ${plain(repositoryOf(payload))} is set up. ${plain(payload.maybe('zen') ?? '')}`.trim(),
  }),
  push: pushed,
  create: (payload) => refChanged(payload, 'created'),
  delete: (payload) => refChanged(payload, 'deleted'),
  issues: (payload) => issuableChanged(payload, issueOf(payload)),
  issue_comment: (payload) => commentedOn(payload, issueOf(payload)),
  pull_request: (payload) => issuableChanged(payload, pullRequestOf(payload)),
  pull_request_review: reviewed,
  pull_request_review_comment: (payload) => commentedOn(payload, pullRequestOf(payload)),
  commit_comment: commentedOnCommit,
  release: released,
}

export const github = eventIntegration({
  name: 'github',
  displayName: 'GitHub',
  clientName: 'GitHub',
  configOptions: [secretOption],
  urlOptions: [branchesOption],
  check: (incoming, config) => checkSignature(incoming, config, 'x-hub-signature-256'),
  events: githubEvents,
  eventOf: (incoming) => eventHeader(incoming, 'X-GitHub-Event'),
})

function pushed(payload: Payload, { branches }: IncomingWebhook): EventMessage {
  const ref = payload.text('ref')
  const branch = refName(ref)
  const repository = repositoryOf(payload)
  if (ref.startsWith('refs/tags/')) {
    const did = payload.is('deleted') ? 'deleted' : 'pushed'
    const content = tagText(senderOf(payload), did, branch, payload.maybe('compare'))
    return { topic: branchTopic(repository, 'tags'), content }
  }
  if (!isWanted(branch, branches)) return undefined
  const commits = payload.list('commits').map(commitOf)
  const content = pushText({
    who: senderOf(payload),
    branch,
    branchUrl: `${payload.maybe('repository.html_url')}/tree/${encodeURI(branch)}`,
    compareUrl: payload.maybe('compare') ?? payload.maybe('compare_url'),
    kind: payload.is('deleted')
      ? 'deleted'
      : payload.is('forced')
        ? 'forced'
        : payload.is('created')
          ? 'created'
          : 'pushed',
    commits,
    total: Math.max(commits.length, Number(payload.maybe('total_commits') ?? 0) || 0),
  })
  return { topic: branchTopic(repository, branch), content }
}

// A new branch or tag also causes a push event, which contains more.
function refChanged(payload: Payload, did: 'created' | 'deleted'): EventMessage {
  const ref = refName(payload.text('ref'))
  if (payload.text('ref_type') !== 'tag') return undefined
  const url =
    did === 'created' ? `${payload.maybe('repository.html_url')}/releases/tag/${encodeURI(ref)}` : undefined
  const content = tagText(senderOf(payload), did, ref, url)
  return { topic: branchTopic(repositoryOf(payload), 'tags'), content }
}

/** The texts of actions. Actions that are not listed are frequent and unimportant. */
const actions = new Map([
  ['opened', 'opened'],
  ['closed', 'closed'],
  ['reopened', 'reopened'],
  ['edited', 'edited'],
  ['deleted', 'deleted'],
  ['transferred', 'moved'],
  ['assigned', 'assigned'],
  ['unassigned', 'unassigned'],
  ['labeled', 'labeled'],
  ['unlabeled', 'unlabeled'],
  ['ready_for_review', 'marked as ready for review'],
  ['converted_to_draft', 'turned into a draft'],
  ['review_requested', 'asked for a review of'],
  ['synchronize', 'updated'],
  ['synchronized', 'updated'],
])

function issuableChanged(payload: Payload, issuable: Issuable): EventMessage {
  const action = payload.text('action')
  const isMerged = action === 'closed' && payload.is('pull_request.merged')
  const did = isMerged ? 'merged' : actions.get(action)
  if (!did) return undefined
  const body = action === 'opened' ? bodyOf(payload) : undefined
  const content = issuableText(senderOf(payload), did, issuable, body, noteOn(payload, action))
  return { topic: issuableTopic(repositoryOf(payload), issuable), content }
}

function noteOn(payload: Payload, action: string): string {
  const assignee = payload.maybe('assignee.login')
  if (assignee && action === 'assigned') return ` to ${plain(assignee)}`
  if (assignee && action === 'unassigned') return ` from ${plain(assignee)}`
  const label = payload.maybe('label.name')
  if (label && (action === 'labeled' || action === 'unlabeled')) return ` (${plain(label)})`
  const reviewer = payload.maybe('requested_reviewer.login')
  return reviewer && action === 'review_requested' ? ` from ${plain(reviewer)}` : ''
}

function commentedOn(payload: Payload, issuable: Issuable): EventMessage {
  if (!['created', 'edited'].includes(payload.text('action'))) return undefined
  const did = payload.text('action') === 'edited' ? 'edited a comment' : 'commented'
  const comment = { url: payload.maybe('comment.html_url'), text: payload.maybe('comment.body') ?? '', did }
  const content = commentText(senderOf(payload), comment, issuableLink(issuable))
  return { topic: issuableTopic(repositoryOf(payload), issuable), content }
}

const verdicts = new Map([
  ['approved', 'approved'],
  ['changes_requested', 'requested changes in'],
  // The name that Forgejo uses.
  ['pull_request_review_approved', 'approved'],
  ['pull_request_review_rejected', 'requested changes in'],
])

function reviewed(payload: Payload): EventMessage {
  const action = payload.text('action')
  const issuable = pullRequestOf(payload)
  const state = (payload.maybe('review.state') ?? payload.maybe('review.type') ?? '').toLowerCase()
  const text = payload.maybe('review.body') ?? payload.maybe('review.content')
  // A review that only groups comments adds nothing to these comments.
  const verdict = verdicts.get(state)
  if ((action !== 'submitted' && action !== 'reviewed') || (!verdict && !text)) return undefined
  const url = payload.maybe('review.html_url')
  const who = senderOf(payload)
  const content = verdict
    ? issuableText(who, markdownLink(verdict, url), issuable, text)
    : commentText(who, { url, text: text!, did: 'commented' }, issuableLink(issuable))
  return { topic: issuableTopic(repositoryOf(payload), issuable), content }
}

function commentedOnCommit(payload: Payload): EventMessage {
  const comment = { url: payload.maybe('comment.html_url'), text: payload.maybe('comment.body') ?? '' }
  const id = payload.text('comment.commit_id')
  const commitUrl = `${payload.maybe('repository.html_url')}/commit/${encodeURI(id)}`
  const content = commentText(senderOf(payload), comment, commitLink(id, commitUrl))
  return { topic: branchTopic(repositoryOf(payload), 'commits'), content }
}

function released(payload: Payload): EventMessage {
  if (payload.text('action') !== 'published') return undefined
  const tag = payload.text('release.tag_name')
  const content = releaseText(senderOf(payload), 'published', {
    name: payload.maybe('release.name') ?? tag,
    tag,
    url: payload.maybe('release.html_url'),
    text: payload.maybe('release.body'),
  })
  return { topic: branchTopic(repositoryOf(payload), 'releases'), content }
}

function issueOf(payload: Payload): Issuable {
  // Comments on pull requests arrive as comments on issues.
  const isPull = payload.has('issue.pull_request') || payload.is('is_pull')
  return { ...matterOf(payload.at('issue')), kind: isPull ? 'PR' : 'issue' }
}

function pullRequestOf(payload: Payload): Issuable {
  return { ...matterOf(payload.at('pull_request')), kind: 'PR' }
}

function matterOf(issuable: Payload) {
  return { number: issuable.text('number'), title: issuable.text('title'), url: issuable.maybe('html_url') }
}

function bodyOf(payload: Payload): string | undefined {
  return payload.maybe('issue.body') ?? payload.maybe('pull_request.body')
}

function commitOf(commit: Payload): ForgeCommit {
  const author = commit.maybe('author.username') ?? commit.maybe('author.name')
  return { id: commit.text('id'), title: firstLine(commit.text('message')), url: commit.maybe('url'), author }
}

function repositoryOf(payload: Payload): string {
  return payload.maybe('repository.name') ?? payload.maybe('organization.login') ?? 'GitHub'
}

function senderOf(payload: Payload): string {
  return (
    payload.maybe('sender.login') ??
    payload.maybe('pusher.name') ??
    payload.maybe('pusher.login') ??
    'Someone'
  )
}
