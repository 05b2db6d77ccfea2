import { type EventMessage, type EventTexts, eventIntegration } from './event-integration.ts'
import {
  branchTopic,
  commentText,
  commitLink,
  type ForgeCommit,
  type Issuable,
  isNoCommit,
  issuableLink,
  issuableText,
  issuableTopic,
  isWanted,
  pushText,
  refName,
  releaseText,
  tagText,
} from './forge.ts'
import { branchesOption, checkSame, eventHeader, type IncomingWebhook, secretOption } from './integration.ts'
import { firstLine, markdownLink, plain } from './markdown.ts'
import type { Payload } from './payload.ts'

const events: EventTexts = {
  'Push Hook': pushed,
  'Tag Push Hook': tagPushed,
  'Issue Hook': (payload) => issuableChanged(payload, 'issue'),
  'Confidential Issue Hook': (payload) => issuableChanged(payload, 'issue'),
  'Merge Request Hook': (payload) => issuableChanged(payload, 'MR'),
  'Note Hook': commented,
  'Confidential Note Hook': commented,
  'Release Hook': released,
}

export const gitlab = eventIntegration({
  name: 'gitlab',
  displayName: 'GitLab',
  clientName: 'GitLab',
  configOptions: [secretOption],
  urlOptions: [branchesOption],
  check({ header }, { webhook_secret: secret }) {
    if (secret) checkSame(header('x-gitlab-token'), secret)
  },
  events,
  eventOf: (incoming) => eventHeader(incoming, 'X-GitLab-Event'),
})

function pushed(payload: Payload, { branches }: IncomingWebhook): EventMessage {
  const branch = refName(payload.text('ref'))
  if (!isWanted(branch, branches)) return undefined
  const [before, after] = [payload.maybe('before'), payload.maybe('after')]
  const web = payload.maybe('project.web_url')
  const commits = payload.list('commits').map(commitOf)
  const content = pushText({
    who: payload.maybe('user_username') ?? payload.text('user_name'),
    branch,
    branchUrl: web && `${web}/-/tree/${encodeURI(branch)}`,
    compareUrl: web && !isNoCommit(before) ? `${web}/-/compare/${before}...${after}` : undefined,
    kind: isNoCommit(after) ? 'deleted' : isNoCommit(before) ? 'created' : 'pushed',
    commits,
    total: Math.max(commits.length, Number(payload.maybe('total_commits_count') ?? 0) || 0),
  })
  return { topic: branchTopic(projectOf(payload), branch), content }
}

function tagPushed(payload: Payload): EventMessage {
  const tag = refName(payload.text('ref'))
  const web = payload.maybe('project.web_url')
  const did = isNoCommit(payload.maybe('after')) ? 'deleted' : 'pushed'
  const who = payload.maybe('user_username') ?? payload.text('user_name')
  const url = web && did === 'pushed' ? `${web}/-/tags/${encodeURI(tag)}` : undefined
  return { topic: branchTopic(projectOf(payload), 'tags'), content: tagText(who, did, tag, url) }
}

const actions = new Map([
  ['open', 'opened'],
  ['close', 'closed'],
  ['reopen', 'reopened'],
  ['update', 'updated'],
  ['merge', 'merged'],
  ['approved', 'approved'],
  ['unapproved', 'took back the approval of'],
  ['approval', 'added an approval to'],
  ['unapproval', 'took back an approval of'],
])

function issuableChanged(payload: Payload, kind: 'issue' | 'MR'): EventMessage {
  const attributes = payload.at('object_attributes')
  const action = attributes.maybe('action') ?? 'update'
  const did = actions.get(action)
  if (!did) return undefined
  const issuable = matterOf(attributes, kind)
  const body = action === 'open' ? attributes.maybe('description') : undefined
  const assignees = payload.list('assignees').map((one) => plain(one.maybe('username') ?? one.text('name')))
  const note = action === 'open' && assignees.length > 0 ? ` (assigned to ${assignees.join(', ')})` : ''
  const content = issuableText(userOf(payload), did, issuable, body, note)
  return { topic: issuableTopic(projectOf(payload), issuable), content }
}

function commented(payload: Payload): EventMessage {
  const note = payload.at('object_attributes')
  const comment = { url: note.maybe('url'), text: note.text('note') }
  const project = projectOf(payload)
  const said = (about: string) => commentText(userOf(payload), comment, about)
  for (const [name, kind] of [
    ['issue', 'issue'],
    ['merge_request', 'MR'],
  ] as const) {
    if (!payload.has(name)) continue
    const issuable = matterOf(payload.at(name), kind)
    return { topic: issuableTopic(project, issuable), content: said(issuableLink(issuable)) }
  }
  if (payload.has('commit')) {
    const about = commitLink(payload.text('commit.id'), payload.maybe('commit.url'))
    return { topic: branchTopic(project, 'commits'), content: said(about) }
  }
  const title = payload.maybe('snippet.title') ?? 'a snippet'
  return { topic: branchTopic(project, 'snippets'), content: said(markdownLink(title, comment.url)) }
}

const releaseActions = new Map([
  ['create', 'published'],
  ['update', 'updated'],
  ['delete', 'deleted'],
])

function released(payload: Payload): EventMessage {
  const did = releaseActions.get(payload.maybe('action') ?? 'create')
  if (!did) return undefined
  const tag = payload.text('tag')
  const content = releaseText(payload.maybe('commit.author.name') ?? 'Someone', did, {
    name: payload.maybe('name') ?? tag,
    tag,
    url: payload.maybe('url'),
    text: did === 'published' ? payload.maybe('description') : undefined,
  })
  return { topic: branchTopic(projectOf(payload), 'releases'), content }
}

function matterOf(attributes: Payload, kind: 'issue' | 'MR'): Issuable {
  return {
    kind,
    number: attributes.text('iid'),
    title: attributes.text('title'),
    url: attributes.maybe('url'),
  }
}

function commitOf(commit: Payload): ForgeCommit {
  return {
    id: commit.text('id'),
    title: firstLine(commit.text('message')),
    url: commit.maybe('url'),
    author: commit.maybe('author.name'),
  }
}

function projectOf(payload: Payload): string {
  return payload.maybe('project.name') ?? payload.maybe('repository.name') ?? 'GitLab'
}

function userOf(payload: Payload): string {
  return payload.maybe('user.username') ?? payload.maybe('user.name') ?? 'Someone'
}
