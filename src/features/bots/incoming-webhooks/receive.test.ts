import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Sent } from '../../../../test/http.ts'
import { encode, success } from '../../../../test/http.ts'
import { processorSeconds } from '../../../../test/runner/effort.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function setting(bot: Sent = {}) {
  const org = await organization()
  const anna = await org.person({ name: 'Anna' })
  const channel = await org.channel({ name: 'builds & more', subscribers: [anna] })
  const params = { full_name: 'Hook', short_name: 'hook', bot_type: 2, ...bot }
  const { body: made } = await anna.post('/bots', params)
  expect(made).toMatchObject({ result: 'success' })
  const { user_id: botId, api_key: key } = made as { user_id: number; api_key: string }

  /** Posts to an integration as its service does. */
  const call = (name: string, query: Sent, sent: unknown, headers: Record<string, string> = {}) =>
    org.visitor.raw({
      method: 'POST',
      path: `/api/v1/external/${name}?${encode({ api_key: key, ...query })}`,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof sent === 'string' ? sent : JSON.stringify(sent),
    })

  /** Returns the messages that Anna has received, oldest first. */
  const heard = async () => {
    const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false }
    return (await anna.get('/messages', page)).body.messages
  }
  return { org, anna, channel, botId, key, call, heard }
}

const issue = {
  action: 'closed',
  issue: { number: 3, title: 'It breaks', html_url: 'https://github.com/acme/shop/issues/3' },
  repository: { name: 'shop' },
  sender: { login: 'mona' },
}
const issues = { 'x-github-event': 'issues' }

test('posts in the channel and topic of its address, as the bot', async () => {
  const { anna, channel, botId, call, heard } = await setting()
  const client = await anna.register()
  expect((await call('github', { stream: channel.name }, issue, issues)).body).toEqual(success)
  expect((await call('github', { stream: `${channel.id}`, topic: 'forge' }, issue, issues)).body).toEqual(
    success,
  )
  expect(
    (await call('github', { stream: encodeURIComponent(channel.name), topic: 'a%20b' }, issue, issues)).body,
  ).toEqual(success)
  const content = 'mona closed [issue #3: It breaks](https://github.com/acme/shop/issues/3).'
  const common = { sender_id: botId, stream_id: channel.id, client: 'ZulipGitHubWebhook', content }
  expect(await heard()).toMatchObject([
    { ...common, subject: 'shop / issue #3 It breaks' },
    { ...common, subject: 'forge' },
    { ...common, subject: 'a b' },
  ])
  await client.expectStateToMatch()
})

test('a user whom a webhook mentions follows the topic', async () => {
  const { anna, channel, call } = await setting()
  const client = await anna.register()
  const sent = { text: `@**Anna|${anna.id}** the build fails` }
  expect(await call('slack_incoming', { stream: channel.name, topic: 'forge' }, sent)).toMatchObject({
    status: 200,
  })
  const policy = { type: 'user_topic', stream_id: channel.id, topic_name: 'forge', visibility_policy: 3 }
  expect(await client.events()).toContainEqual(expect.objectContaining(policy))
  await client.expectStateToMatch()
})

test('without a channel, sends a direct message to the owner of the bot', async () => {
  const { anna, botId, call, heard } = await setting()
  expect((await call('github', {}, issue, issues)).body).toEqual(success)
  const [message] = await heard()
  expect(message).toMatchObject({ type: 'private', sender_id: botId })
  expect(message.display_recipient.map((one: { id: number }) => one.id).sort()).toEqual(
    [anna.id, botId].sort(),
  )
})

test('rejects callers without permission and malformed requests', async () => {
  const { org, anna, channel, botId, call, heard } = await setting()
  const refusal = async (...asked: Parameters<typeof call>) => {
    const { status, body } = await call(...asked)
    return [status, body.msg, body.code]
  }
  const to = { stream: channel.name }
  const missing = await org.visitor.raw({ method: 'POST', path: '/api/v1/external/github', body: '{}' })
  expect(missing.body).toEqual({
    result: 'error',
    msg: "Missing 'api_key' argument",
    var_name: 'api_key',
    code: 'REQUEST_VARIABLE_MISSING',
  })
  expect(await refusal('github', { ...to, api_key: 'x'.repeat(32) }, issue, issues)).toEqual([
    401,
    'Invalid API key',
    'INVALID_API_KEY',
  ])
  expect(await refusal('nothing', to, issue)).toEqual([404, 'Page not found', 'NOT_FOUND'])
  expect(await refusal('github', to, 'not json', issues)).toEqual([400, 'Malformed JSON', 'BAD_REQUEST'])
  expect(await refusal('github', to, issue)).toEqual([
    400,
    "Missing the HTTP event header 'X-GitHub-Event'",
    'MISSING_HTTP_EVENT_HEADER',
  ])
  expect((await refusal('github', { stream: 'nowhere' }, issue, issues))[1]).toBe(
    "Channel 'nowhere' does not exist",
  )
  const secret = await org.channel({ name: 'vault', isPrivate: true })
  expect((await refusal('github', { stream: secret.name }, issue, issues))[1]).toBe(
    "Not authorized to send to channel 'vault'",
  )
  for (const sent of ['[]', 'null', '5', '{"issue": [], "action": {}}']) {
    expect((await refusal('github', to, sent, issues))[1]).toMatch(/^Malformed payload/)
  }
  await anna.delete(`/bots/${botId}`)
  expect((await refusal('github', to, issue, issues))[0]).toBe(401)
  expect(await heard()).toEqual([])
})

test('ignores unknown events, and the address can filter events', async () => {
  const { channel, call, heard } = await setting()
  const to = { stream: channel.name }
  const unknown = await call('github', to, issue, { 'x-github-event': 'workflow_run' })
  expect([unknown.status, unknown.body]).toEqual([
    200,
    {
      result: 'success',
      msg: "The 'workflow_run' event isn't currently supported by the GitHub webhook; ignoring",
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      webhook_name: 'github',
      event_type: 'workflow_run',
    },
  ])
  for (const filter of [{ only_events: ['push', 'pull_*'] }, { exclude_events: ['iss*s'] }]) {
    expect((await call('github', { ...to, ...filter }, issue, issues)).body).toEqual(success)
  }
  expect(await heard()).toEqual([])
})

test('a configured secret must sign the request', async () => {
  const config_data = { webhook_secret: 'hush' }
  const { anna, botId, channel, call, heard } = await setting({ service_name: 'github', config_data })
  const to = { stream: channel.name }
  const body = JSON.stringify(issue)
  const signed = (secret: string) => ({
    ...issues,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })
  for (const headers of [issues, signed('wrong')]) {
    expect((await call('github', to, body, headers)).body.msg).toBe('Webhook signature verification failed.')
  }
  expect((await call('github', to, body, signed('hush'))).body).toEqual(success)
  await anna.patch(`/bots/${botId}`, { config_data: { webhook_secret: 'louder' } })
  expect((await call('github', to, body, signed('hush'))).status).toBe(400)
  expect((await call('github', to, body, signed('louder'))).body).toEqual(success)
  expect(await heard()).toHaveLength(2)
})

test('a GitLab secret arrives as plain text', async () => {
  const { call } = await setting({ service_name: 'gitlab', config_data: { webhook_secret: 'hush' } })
  const sent = {
    object_attributes: { iid: 1, title: 'x', action: 'close' },
    user: { username: 'otto' },
    project: { name: 'Mill' },
  }
  const headers = { 'x-gitlab-event': 'Issue Hook' }
  expect((await call('gitlab', {}, sent, { ...headers, 'x-gitlab-token': 'loud' })).status).toBe(400)
  expect((await call('gitlab', {}, sent, { ...headers, 'x-gitlab-token': 'hush' })).body).toEqual(success)
})

test('GitHub may send a form', async () => {
  const { call, heard } = await setting()
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...issues }
  expect((await call('github', {}, encode({ payload: JSON.stringify(issue) }), form)).body).toEqual(success)
  expect(await heard()).toHaveLength(1)
})

test('accepts requests made for Slack', async () => {
  const { channel, call, heard } = await setting()
  const to = { stream: channel.name }
  const slack = async (sent: unknown, query = {}) => {
    expect((await call('slack_incoming', { ...to, ...query }, sent)).body).toEqual({ ...success, ok: true })
    return (await heard()).at(-1)
  }
  const text =
    'hi *there*, _you_ ~not~ in snake_case_names `*code*`: <https://a.example/?a=1&amp;b=2|the *docs*> &lt;3 <@U1|Ben> <!here>'
  expect((await slack({ text }, { topic: 'wh' })).content).toBe(
    'hi **there**, *you* ~~not~~ in snake_case_names `*code*`: [the *docs*](https://a.example/?a=1&b=2) <3 @Ben @here',
  )
  expect((await slack({ text: 'x', channel: '#alerts' })).subject).toBe('alerts')
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Deploy' } },
    { type: 'section', text: { type: 'mrkdwn', text: '*Done*' }, fields: [{ type: 'mrkdwn', text: '_ok_' }] },
    { type: 'divider' },
    {
      type: 'actions',
      elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://a.example/' }],
    },
  ]
  const attachments = [
    {
      pretext: 'Before',
      title: 'Run 7',
      title_link: 'https://a.example/7',
      text: 'passed',
      fields: [{ title: 'Took', value: '3 s' }],
      footer: 'CI',
    },
  ]
  expect((await slack({ text: 'fallback', blocks, attachments })).content).toBe(
    '## Deploy\n\n**Done**\n*ok*\n\n---\n\n[Open](https://a.example/)\n\nBefore\n\n**[Run 7](https://a.example/7)**\n\npassed\n\n- **Took**: 3 s\n\nCI',
  )
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(
    (await call('slack_incoming', to, encode({ payload: '{"text":"from a form"}' }), form)).body.ok,
  ).toBe(true)
  expect((await heard()).at(-1).content).toBe('from a form')
  for (const [sent, error] of [
    ['notjson', 'Malformed JSON'],
    ['{}', 'Malformed payload: there is no text'],
  ]) {
    const { status, body } = await call('slack_incoming', to, sent)
    expect([status, body]).toMatchObject([400, { ok: false, error }])
  }
})

test('accepts incomplete characters', async () => {
  const { channel, call, heard } = await setting()
  const push = {
    ref: 'refs/heads/a\ud800',
    repository: { ...issue.repository, html_url: 'https://a.test/b' },
  }
  const answer = await call('github', { stream: channel.name }, push, { 'x-github-event': 'push' })
  expect(answer.body).toEqual(success)
  expect((await heard()).at(-1)).toMatchObject({ subject: 'shop / a\ufffd' })
})

test('can show any JSON', async () => {
  const { call, heard } = await setting()
  await call('json', {}, { text: 'Hello from a *script*', topic: 'ignored in direct messages' })
  await call('json', {}, { fence: '```', a: [1] })
  const [said, shown] = await heard()
  expect(said.content).toBe('Hello from a *script*')
  expect(shown.content).toBe('````json\n{\n  "fence": "```",\n  "a": [\n    1\n  ]\n}\n````')
})

test('clients receive the list of integrations', async () => {
  const { anna } = await setting()
  const { realm_incoming_webhook_bots: known } = (await anna.post('/register')).body
  expect(known.map(({ name }: { name: string }) => name)).toEqual([
    'alertmanager',
    'forgejo',
    'gitea',
    'github',
    'gitlab',
    'grafana',
    'jenkins',
    'jira',
    'json',
    'pagerduty',
    'sentry',
    'slack_incoming',
    'uptimerobot',
    'zabbix',
  ])
  expect(known[3]).toMatchObject({
    display_name: 'GitHub',
    all_event_types: expect.arrayContaining(['push', 'issues']),
    config_options: [{ key: 'webhook_secret', label: expect.any(String), validator: 'check_string' }],
    url_options: [{ key: 'branches', label: expect.any(String), validator: 'check_string' }],
  })
})

test.each(['json', 'slack_incoming'])(
  '%s: very deep nesting is refused or cut, and does no harm',
  async (name) => {
    const { channel, call } = await setting()
    const depth = 100_000
    const deep = `{"elements":[`.repeat(depth) + ']}'.repeat(depth)
    const answer = await call(
      name,
      { stream: channel.name },
      `{"blocks":[{"type":"rich_text","elements":[${deep}]}]}`,
    )
    expect(answer).toMatchObject({ status: 400, body: { msg: 'Malformed JSON' } })
    const wide = `${'['.repeat(3_000) + '1,'.repeat(200_000)}1${']'.repeat(3_000)}`
    expect(await processorSeconds(() => call(name, { stream: channel.name }, wide))).toBeLessThan(2)
  },
)
