import { incomingLimits } from './limits.ts'
import { firstLine, markdownLink, plain, topic, withBody } from './markdown.ts'

// The events of any forge of Git repositories, and their message texts.

export type ForgeCommit = { id: string; title: string; url: string | undefined; author: string | undefined }

type Push = {
  who: string
  branch: string
  branchUrl: string | undefined
  compareUrl: string | undefined
  kind: 'pushed' | 'created' | 'deleted' | 'forced'
  commits: ForgeCommit[]
  /** The total number, if more exist than are listed. */
  total: number
}

/** An issue, or a pull or merge request. */
export type Issuable = {
  kind: 'issue' | 'PR' | 'MR'
  number: string
  title: string
  url: string | undefined
}

export function pushText(push: Push): string {
  const { who, kind, total } = push
  const branch = markdownLink(push.branch, push.branchUrl)
  if (kind === 'deleted') return `${plain(who)} deleted the branch ${branch}.`
  if (total === 0) {
    return `${plain(who)} ${kind === 'forced' ? 'force-pushed to' : kind === 'created' ? 'created' : 'pushed to'} the branch ${branch}.`
  }
  const commits = markdownLink(total === 1 ? '1 commit' : `${total} commits`, push.compareUrl)
  const verb = kind === 'forced' ? 'force-pushed' : 'pushed'
  const fresh = kind === 'created' ? 'the new branch' : 'the branch'
  return [`${plain(who)} ${verb} ${commits} to ${fresh} ${branch}.`, '', ...commitLines(push)].join('\n')
}

function commitLines({ who, commits, total }: Push): string[] {
  const shown = commits.slice(0, incomingLimits.webhookCommits)
  const lines = shown.map(({ id, title, url, author }) => {
    const by = author !== undefined && author !== who ? ` – ${plain(author)}` : ''
    return `- ${plain(firstLine(title))} (${markdownLink(id.slice(0, 10), url)})${by}`
  })
  const more = total - shown.length
  return more > 0 ? [...lines, `- … and ${more} more`] : lines
}

/** Returns the text for a change of an issue or a request. `did`: a verb, e.g. "closed". */
export function issuableText(who: string, did: string, issuable: Issuable, body?: string, note = ''): string {
  const line = `${plain(who)} ${did} ${issuableLink(issuable)}${note}`
  return withBody(line, body)
}

/** Returns the text for a comment. `about` is Markdown. */
export function commentText(
  who: string,
  comment: { url: string | undefined; text: string; did?: string },
  about: string,
): string {
  return withBody(
    `${plain(who)} ${markdownLink(comment.did ?? 'commented', comment.url)} on ${about}`,
    comment.text,
  )
}

export function issuableLink({ kind, number, title, url }: Issuable): string {
  return markdownLink(`${kind} ${numberOf(kind, number)}: ${firstLine(title)}`, url)
}

export function commitLink(id: string, url: string | undefined): string {
  return `commit ${markdownLink(id.slice(0, 10), url)}`
}

export function releaseText(
  who: string,
  did: string,
  release: { name: string; tag: string; url: string | undefined; text: string | undefined },
): string {
  const tag = release.tag === release.name ? '' : ` (${plain(release.tag)})`
  return withBody(
    `${plain(who)} ${did} the release ${markdownLink(release.name, release.url)}${tag}`,
    release.text,
  )
}

export function tagText(who: string, did: string, tag: string, url: string | undefined): string {
  return `${plain(who)} ${did} the tag ${markdownLink(tag, url)}.`
}

export function branchTopic(repository: string, branch: string): string {
  return topic(`${repository} / ${branch}`)
}

export function issuableTopic(repository: string, { kind, number, title }: Issuable): string {
  return topic(`${repository} / ${kind} ${numberOf(kind, number)} ${title}`)
}

/** Returns whether pushes to a branch are reported. */
export function isWanted(branch: string, wanted: string | undefined): boolean {
  const names = (wanted ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.length === 0 || names.some((pattern) => matchesGlob(branch, pattern))
}

/** Returns whether a text matches a pattern in which `*` matches any text. */
export function matchesGlob(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}

/** Returns the short name of a branch or tag from its full name. */
export function refName(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, '')
}

/** Returns whether an id is missing or consists of zeros: the branch did not exist before, or does not exist after. */
export function isNoCommit(id: string | undefined): boolean {
  return id !== undefined && /^0+$/.test(id)
}

function numberOf(kind: Issuable['kind'], number: string) {
  return kind === 'MR' ? `!${number}` : `#${number}`
}
