import { describe, expect, test } from 'vitest'
import { gitlab as gitlabIntegration } from './gitlab.ts'
import { type IncomingWebhook, UnknownEvent } from './integration.ts'
import { Payload } from './payload.ts'

const sha = '9f3c2b1d4e5f60718293a4b5c6d7e8f901234567'

function incoming(sent: object, event: string, branches?: string): IncomingWebhook {
  return {
    payload: new Payload(sent),
    body: Buffer.from(JSON.stringify(sent)),
    header: (name) => (name === 'x-gitlab-event' ? event : undefined),
    branches,
  }
}

describe('GitLab', () => {
  const project = { name: 'Mill', web_url: 'https://gitlab.example/grain/mill' }
  const user = { name: 'Otto', username: 'otto' }
  const gitlab = (event: string, sent: object, branches?: string) =>
    gitlabIntegration.read(incoming({ project, user, ...sent }, event, branches))
  const nothing = '0'.repeat(40)

  test('reports pushes and tags', () => {
    const push = {
      before: sha,
      after: sha.replace('9', 'a'),
      ref: 'refs/heads/feature/wheel',
      user_name: 'Otto',
      user_username: 'otto',
      total_commits_count: 3,
      commits: [{ id: sha, message: 'Turn', url: 'https://gitlab.example/c/1', author: { name: 'Otto' } }],
    }
    expect(gitlab('Push Hook', push)).toMatchObject({ event: 'Push Hook', topic: 'Mill / feature/wheel' })
    expect(gitlab('Push Hook', push)!.content).toBe(
      [
        `otto pushed [3 commits](https://gitlab.example/grain/mill/-/compare/${sha}...${push.after}) to the branch [feature/wheel](https://gitlab.example/grain/mill/-/tree/feature/wheel).`,
        '',
        '- Turn ([9f3c2b1d4e](https://gitlab.example/c/1)) – Otto',
        '- … and 2 more',
      ].join('\n'),
    )
    const gone = { ...push, after: nothing, commits: [], total_commits_count: 0 }
    expect(gitlab('Push Hook', gone)!.content).toMatch(/^otto deleted the branch/)
    expect(gitlab('Push Hook', push, 'main')).toBeUndefined()
    expect(gitlab('Tag Push Hook', { ...push, ref: 'refs/tags/v2' })!.content).toBe(
      'otto pushed the tag [v2](https://gitlab.example/grain/mill/-/tags/v2).',
    )
  })

  test('reports issues, merge requests, comments and releases', () => {
    const attributes = { iid: 5, title: 'Grind', url: 'https://gitlab.example/5', description: 'Finely.' }
    const opened = { object_attributes: { ...attributes, action: 'open' }, assignees: [{ username: 'eva' }] }
    expect(gitlab('Issue Hook', opened)).toMatchObject({
      topic: 'Mill / issue #5 Grind',
      content:
        'otto opened [issue #5: Grind](https://gitlab.example/5) (assigned to eva):\n\n```quote\nFinely.\n```',
    })
    const merged = { object_attributes: { ...attributes, action: 'merge' } }
    expect(gitlab('Merge Request Hook', merged)).toMatchObject({
      topic: 'Mill / MR !5 Grind',
      content: 'otto merged [MR !5: Grind](https://gitlab.example/5).',
    })
    const unknown = { object_attributes: { ...attributes, action: 'constructor' } }
    expect(gitlab('Issue Hook', unknown)).toBeUndefined()
    const note = { note: 'Coarsely!', url: 'https://gitlab.example/5#note' }
    expect(gitlab('Note Hook', { object_attributes: note, merge_request: attributes })!.content).toBe(
      'otto [commented](https://gitlab.example/5#note) on [MR !5: Grind](https://gitlab.example/5):\n\n```quote\nCoarsely!\n```',
    )
    expect(
      gitlab('Note Hook', { object_attributes: note, commit: { id: sha, url: 'https://gitlab.example/c' } })!
        .topic,
    ).toBe('Mill / commits')
    expect(gitlab('Release Hook', { action: 'constructor', tag: 'v2' })).toBeUndefined()
    const release = {
      action: 'create',
      tag: 'v2',
      name: 'Two',
      url: 'https://gitlab.example/r',
      description: 'More.',
      commit: { author: { name: 'Eva' } },
    }
    expect(gitlab('Release Hook', release)!.content).toBe(
      'Eva published the release [Two](https://gitlab.example/r) (v2):\n\n```quote\nMore.\n```',
    )
    expect(() => gitlab('Pipeline Hook', {})).toThrow(UnknownEvent)
  })
})
