import { describe, expect, test } from 'vitest'
import { emptyLookup } from '../../../markdown/lookup.ts'
import { render } from '../../../markdown/render.ts'
import {
  type Integration,
  UnknownEvent,
  type WebhookMessage,
} from '../kernel/incoming-webhooks/integration.ts'
import { integrations } from '../kernel/incoming-webhooks/integrations.ts'
import { Payload } from '../kernel/incoming-webhooks/payload.ts'

/** Returns the content of a service's message. */
function read(
  name: string,
  headers: Record<string, string>,
  sent: object,
  branches?: string,
): WebhookMessage | undefined {
  const integration: Integration = integrations.find((one) => one.name === name)!
  return integration.read({
    payload: new Payload(sent),
    body: Buffer.from(JSON.stringify(sent)),
    header: (header) => headers[header],
    branches,
  })
}

const shop = { name: 'shop', full_name: 'acme/shop', html_url: 'https://github.com/acme/shop' }
const mona = { login: 'mona' }
const sha = '9f3c2b1d4e5f60718293a4b5c6d7e8f901234567'

const github = (event: string, sent: object, branches?: string) =>
  read('github', { 'x-github-event': event }, { repository: shop, sender: mona, ...sent }, branches)

const commit = (index: number, message: string, author = 'mona') => ({
  id: sha.replace(/^./, String(index % 10)),
  message,
  url: `https://github.com/acme/shop/commit/${index}`,
  author: { name: author, username: author },
})

const pull = {
  number: 7,
  title: 'Count [twice]',
  html_url: 'https://github.com/acme/shop/pull/7',
  body: 'Because *once* is not enough.',
  merged: false,
}
const issue = {
  number: 3,
  title: 'It `breaks`',
  html_url: 'https://github.com/acme/shop/issues/3',
  body: 'Badly.',
}

describe('GitHub', () => {
  const push = {
    ref: 'refs/heads/main',
    created: false,
    deleted: false,
    forced: false,
    compare: 'https://github.com/acme/shop/compare/1...2',
    commits: [commit(1, 'Count once\n\nAnd no more.'), commit(2, 'Fix **bold** @**all**', 'ben')],
  }

  test('reports pushes', () => {
    expect(github('push', push)).toEqual({
      event: 'push',
      topic: 'shop / main',
      content: [
        'mona pushed [2 commits](https://github.com/acme/shop/compare/1...2) to the branch [main](https://github.com/acme/shop/tree/main).',
        '',
        '- Count once ([1f3c2b1d4e](https://github.com/acme/shop/commit/1))',
        '- Fix &#42;&#42;bold&#42;&#42; @&#42;&#42;all&#42;&#42; ([2f3c2b1d4e](https://github.com/acme/shop/commit/2)) – ben',
      ].join('\n'),
    })
    const many = Array.from({ length: 25 }, (_, i) => commit(i, `Change ${i}`))
    expect(github('push', { ...push, commits: many })!.content).toMatch(/Change 19 .*\n- … and 5 more$/)
    expect(github('push', { ...push, forced: true })!.content).toMatch(/^mona force-pushed \[2 commits\]/)
    expect(github('push', { ...push, created: true, commits: [] })!.content).toMatch(
      /^mona created the branch/,
    )
    expect(github('push', { ...push, deleted: true, commits: [] })!.content).toMatch(
      /^mona deleted the branch/,
    )
    expect(github('push', { ...push, ref: 'refs/tags/v1', commits: [] })).toMatchObject({
      topic: 'shop / tags',
      content: 'mona pushed the tag [v1](https://github.com/acme/shop/compare/1...2).',
    })
  })

  test('reports only the requested branches', () => {
    const branch = (name: string) => ({ ...push, ref: `refs/heads/${name}` })
    expect(github('push', branch('release/1'), 'main, release/*')).toBeDefined()
    expect(github('push', branch('main'), 'main, release/*')).toBeDefined()
    expect(github('push', branch('mainly'), 'main, release/*')).toBeUndefined()
  })

  test('reports issues', () => {
    expect(github('issues', { action: 'opened', issue })).toEqual({
      event: 'issues',
      topic: 'shop / issue #3 It `breaks`',
      content:
        'mona opened [issue #3: It `breaks`](https://github.com/acme/shop/issues/3):\n\n```quote\nBadly.\n```',
    })
    const told = (action: string, more = {}) => github('issues', { action, issue, ...more })?.content
    expect(told('closed')).toBe('mona closed [issue #3: It `breaks`](https://github.com/acme/shop/issues/3).')
    expect(told('assigned', { assignee: { login: 'ben' } })).toMatch(/ to ben\.$/)
    expect(told('labeled', { label: { name: 'bug' } })).toMatch(/ \(bug\)\.$/)
    for (const action of ['pinned', 'constructor']) expect(told(action)).toBeUndefined()
  })

  test('reports pull requests and their comments', () => {
    const opened = github('pull_request', { action: 'opened', pull_request: pull })
    expect(opened).toMatchObject({ topic: 'shop / PR #7 Count [twice]' })
    expect(opened!.content).toBe(
      'mona opened [PR #7: Count ［twice］](https://github.com/acme/shop/pull/7):\n\n```quote\nBecause *once* is not enough.\n```',
    )
    const merged = { action: 'closed', pull_request: { ...pull, merged: true } }
    expect(github('pull_request', merged)!.content).toMatch(/^mona merged \[PR #7/)
    const review = { state: 'approved', html_url: 'https://github.com/acme/shop/pull/7#r1', body: 'Fine.' }
    const reviewed = { action: 'submitted', pull_request: pull, review }
    expect(github('pull_request_review', reviewed)!.content).toBe(
      'mona [approved](https://github.com/acme/shop/pull/7#r1) [PR #7: Count ［twice］](https://github.com/acme/shop/pull/7):\n\n```quote\nFine.\n```',
    )
    for (const state of ['commented', 'constructor']) {
      const silent = { ...reviewed, review: { state, body: null } }
      expect(github('pull_request_review', silent)).toBeUndefined()
    }
    const comment = { html_url: 'https://github.com/acme/shop/pull/7#c1', body: 'Hm.' }
    const onLine = github('pull_request_review_comment', { action: 'created', pull_request: pull, comment })
    expect(onLine!.content).toMatch(/^mona \[commented\]\(.*#c1\) on \[PR #7/)
    const onPull = { action: 'created', issue: { ...issue, pull_request: {} }, comment }
    expect(github('issue_comment', onPull)!.topic).toBe('shop / PR #3 It `breaks`')
    expect(github('issue_comment', { action: 'deleted', issue, comment })).toBeUndefined()
  })

  test('reports releases, tags and comments on commits', () => {
    const release = {
      tag_name: 'v1',
      name: 'One',
      html_url: 'https://github.com/acme/shop/releases/v1',
      body: 'First.',
    }
    expect(github('release', { action: 'published', release })).toMatchObject({
      topic: 'shop / releases',
      content:
        'mona published the release [One](https://github.com/acme/shop/releases/v1) (v1):\n\n```quote\nFirst.\n```',
    })
    expect(github('create', { ref: 'v1', ref_type: 'tag' })!.content).toMatch(/^mona created the tag \[v1\]/)
    expect(github('create', { ref: 'x', ref_type: 'branch' })).toBeUndefined()
    const comment = { commit_id: sha, html_url: 'https://github.com/acme/shop/commit/9#c', body: 'Nice.' }
    expect(github('commit_comment', { action: 'created', comment })!.content).toMatch(
      /^mona \[commented\]\(.*\) on commit \[9f3c2b1d4e\]\(https:\/\/github.com\/acme\/shop\/commit\/9f3c/,
    )
    expect(github('ping', { zen: 'Keep it simple.' })!.content).toBe(
      'The webhook of shop is set up. Keep it simple.',
    )
  })

  test('rejects unknown events', () => {
    for (const event of ['workflow_run', 'toString', '']) {
      expect(() => github(event, {})).toThrow(event === '' ? /Missing the HTTP event header/ : UnknownEvent)
    }
    expect(() => github('issues', { action: 'opened' })).toThrow('Malformed payload: number is missing')
  })
})

describe('Forgejo and Gitea', () => {
  const repository = { name: 'garden', html_url: 'https://code.example/ann/garden' }
  const sender = { login: 'ann', username: 'ann' }
  const base = { repository, sender }

  test('report pushes, issues and pull requests like GitHub', () => {
    const headers = { 'x-forgejo-event': 'push', 'x-gitea-event': 'push', 'x-github-event': 'push' }
    const push = {
      ...base,
      ref: 'refs/heads/main',
      compare_url: 'https://code.example/ann/garden/compare/a...b',
      commits: [
        {
          id: sha,
          message: 'Water\n',
          url: `https://code.example/ann/garden/commit/${sha}`,
          author: { name: 'Ann', username: 'ann' },
        },
      ],
      total_commits: 1,
    }
    expect(read('forgejo', headers, push)).toEqual({
      event: 'push',
      topic: 'garden / main',
      content: [
        'ann pushed [1 commit](https://code.example/ann/garden/compare/a...b) to the branch [main](https://code.example/ann/garden/tree/main).',
        '',
        `- Water ([9f3c2b1d4e](https://code.example/ann/garden/commit/${sha}))`,
      ].join('\n'),
    })
    const request = { number: 2, title: 'Roses', html_url: 'https://code.example/ann/garden/pulls/2' }
    const approved = {
      ...base,
      action: 'reviewed',
      pull_request: request,
      review: { type: 'pull_request_review_approved', content: 'Yes' },
    }
    expect(read('forgejo', { 'x-forgejo-event': 'pull_request_approved' }, approved)!.content).toMatch(
      /^ann approved/,
    )
    const comment = {
      ...base,
      action: 'created',
      is_pull: true,
      issue: request,
      comment: { html_url: 'https://code.example/c', body: 'Red?' },
    }
    expect(read('gitea', { 'x-gitea-event': 'pull_request_comment' }, comment)).toMatchObject({
      event: 'issue_comment',
      topic: 'garden / PR #2 Roses',
    })
    const updated = { ...base, action: 'synchronized', pull_request: request }
    expect(read('forgejo', { 'x-forgejo-event': 'pull_request_sync' }, updated)!.content).toMatch(
      /^ann updated \[PR #2/,
    )
  })
})

test('escapes the Markdown of other users', () => {
  const tricks = [
    '@**all** [x](https://evil.example) `',
    '**a** ]( $$x$$ <time:2020-01-01> #**general** ~~s~~',
    '](https://evil.example)',
  ]
  for (const title of tricks) {
    const evil = { ...issue, title, body: `${'`'.repeat(4)}\n@**all** end\n${'~'.repeat(5)}` }
    const { content } = github('issues', { action: 'opened', issue: evil, sender: { login: title } })!
    const { html, facts } = render(content, emptyLookup)
    expect(facts.wildcard).toEqual({ channel: false, topic: false })
    // A visible address may be clickable.
    const hidden = html.replaceAll('<a href="https://evil.example">https://evil.example</a>', '')
    expect(hidden).not.toContain('href="https://evil')
    expect(html).not.toMatch(/<(strong|em|del|time)>|class="user-mention channel/)
    expect(html.match(/<blockquote>/g)).toHaveLength(1)
  }
  const { content } = github('issues', {
    action: 'closed',
    issue: { ...issue, html_url: 'javascript:alert(1)' },
  })!
  expect(content).toBe('mona closed issue #3: It &#96;breaks&#96;.')
})
