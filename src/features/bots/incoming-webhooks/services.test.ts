import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encode, type Sent } from '../../../../test/http.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { development } from '../../../../test/webhooks/development-webhooks.ts'
import { monitoring, type Sample } from '../../../../test/webhooks/monitoring-webhooks.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { UnknownEvent, type WebhookMessage } from '../kernel/incoming-webhooks/integration.ts'
import { integrations } from '../kernel/incoming-webhooks/integrations.ts'
import { Payload } from '../kernel/incoming-webhooks/payload.ts'

const { organization } = sharedServer()

const samples = [...monitoring, ...development]

/** Returns the message for a request of a service. */
function read({ integration: name, headers = {} }: Pick<Sample, 'integration' | 'headers'>, sent: unknown) {
  const integration = integrations.find((one) => one.name === name)!
  return integration.read({
    payload: new Payload(sent),
    body: Buffer.from(JSON.stringify(sent) ?? ''),
    header: (header) => headers[header],
    branches: undefined,
  })
}

const jira = { integration: 'jira' }
const sentry = (resource: string) => ({
  integration: 'sentry',
  headers: { 'sentry-hook-resource': resource },
})

test.each(samples)('$integration reports $event', (sample) => {
  const { event, topic, content } = sample
  expect(read(sample, sample.sent)).toEqual({ event, topic, content } satisfies WebhookMessage)
})

test('payloads with missing and wrong values are refused, or shown without them', () => {
  const wrong = [undefined, null, 5, '', 'x', [], {}, [null], [5], [[]], true, 'toString', '\ud800']
  for (const sample of samples) {
    for (const sent of wrongOnes(sample.sent, wrong)) {
      try {
        const news = read(sample, sent)
        if (news) expect([typeof news.topic, typeof news.content]).toEqual(['string', 'string'])
      } catch (error) {
        const isClear = error instanceof UnknownEvent || error instanceof ApiError
        if (!isClear) throw error
        if (error instanceof ApiError)
          expect(error.message).toMatch(/^(Malformed payload: |Missing the HTTP)/)
      }
    }
  }
})

describe('unknown events', () => {
  test.each([
    ['grafana', { status: 'sleeping' }, 'sleeping'],
    ['alertmanager', { status: 'toString' }, 'toString'],
    ['jira', { webhookEvent: 'board_created' }, 'board_created'],
    ['jenkins', { name: 'x', build: { phase: 'DELETED' } }, 'DELETED'],
    ['pagerduty', { event: { event_type: 'service.updated' } }, 'service.updated'],
    ['uptimerobot', { alertType: '9' }, '9'],
  ])('of %s are named', (integration, sent, event) => {
    expect(() => read({ integration }, sent)).toThrow(new UnknownEvent(event))
  })

  test('of Sentry are named, and a request without an event is refused', () => {
    expect(() => read(sentry('seer'), {})).toThrow(UnknownEvent)
    expect(() => read({ integration: 'sentry' }, {})).toThrow(/Missing the HTTP event header/)
  })
})

test('reports that come twice, or are not worth a message, become none', () => {
  const build = (phase: string) => ({ name: 'shop', build: { number: 1, phase } })
  expect(read({ integration: 'jenkins' }, build('QUEUED'))).toBeUndefined()
  expect(read({ integration: 'jenkins' }, build('FINALIZED'))).toBeUndefined()
  const update = { webhookEvent: 'jira:issue_updated', issue_event_type_name: 'issue_commented' }
  expect(read(jira, update)).toBeUndefined()
  expect(read(sentry('issue'), { action: 'toString', data: {} })).toBeUndefined()
})

test('a group of very many alerts becomes a short message', () => {
  const alerts = Array.from({ length: 500 }, (_, i) => ({ status: 'firing', labels: { alertname: `A${i}` } }))
  const { content } = read({ integration: 'alertmanager' }, { status: 'firing', alerts })!
  expect(content.split('\n')).toHaveLength(23)
  expect(content).toMatch(/\n- … and 480 more$/)
})

async function setting(bot: Sent = {}) {
  const org = await organization()
  const anna = await org.person({ name: 'Anna' })
  const channel = await org.channel({ name: 'alerts', subscribers: [anna] })
  const params = { full_name: 'Hook', short_name: 'hook', bot_type: 2, ...bot }
  const { api_key: key } = (await anna.post('/bots', params)).body
  const call = (name: string, body: string, headers: Record<string, string> = {}, query: Sent = {}) =>
    org.visitor.raw({
      method: 'POST',
      path: `/api/v1/external/${name}?${encode({ api_key: key, stream: channel.name, ...query })}`,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  const heard = async () => {
    const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false }
    return (await anna.get('/messages', page)).body.messages
  }
  return { call, heard }
}

test('every service reaches the channel, and malformed requests are refused', async () => {
  const { call, heard } = await setting()
  for (const { integration, headers, sent } of samples) {
    const answer = await call(integration, JSON.stringify(sent), headers)
    expect([integration, answer.status, answer.body]).toEqual([
      integration,
      200,
      { result: 'success', msg: '' },
    ])
    const malformed = await call(integration, '{"alerts": 5', headers)
    expect([malformed.status, malformed.body.msg]).toEqual([400, 'Malformed JSON'])
    const empty = await call(integration, '{}', headers)
    expect([integration, empty.status]).toEqual([integration, 400])
    expect(empty.body.msg).toMatch(/^(Malformed payload: .+ is missing|Missing the HTTP event header)/)
  }
  const messages = await heard()
  expect(
    messages.map(({ subject, content }: { subject: string; content: string }) => [subject, content]),
  ).toEqual(samples.map(({ topic, content }) => [topic, content]))
  const [{ integration, sent }] = samples as [Sample]
  await call(integration, JSON.stringify(sent), {}, { topic: 'elsewhere' })
  expect((await heard()).at(-1).subject).toBe('elsewhere')
  const unknown = await call('jira', JSON.stringify({ webhookEvent: 'board_created' }))
  expect(unknown.body).toEqual({
    result: 'success',
    msg: "The 'board_created' event isn't currently supported by the Jira webhook; ignoring",
    code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    webhook_name: 'jira',
    event_type: 'board_created',
  })
})

test('UptimeRobot may send a form', async () => {
  const { call, heard } = await setting()
  const form = encode({ monitorFriendlyName: 'Shop', monitorURL: 'https://shop.example/', alertType: '3' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await call('uptimerobot', form, headers)).status).toBe(200)
  const text = '[Shop](https://shop.example/) is about to have its certificate expire.'
  expect((await heard()).at(-1)).toMatchObject({ subject: 'Shop', content: text })
})

test.each([
  ['grafana', 'x-grafana-alerting-signature', (right: string) => right],
  ['sentry', 'sentry-hook-signature', (right: string) => right],
  ['jira', 'x-hub-signature', (right: string) => `sha256=${right}`],
  ['pagerduty', 'x-pagerduty-signature', (right: string) => `v1=${'0'.repeat(64)},v1=${right}`],
])('%s signs its requests with the secret of the bot', async (service_name, header, signed) => {
  const { call, heard } = await setting({ service_name, config_data: { webhook_secret: 'hush' } })
  const { headers, sent } = samples.find(({ integration }) => integration === service_name)!
  const body = JSON.stringify(sent)
  const signature = (secret: string) => createHmac('sha256', secret).update(body).digest('hex')
  for (const wrong of [{}, { [header]: '' }, { [header]: signed(signature('loud')) }]) {
    const { status, body: answer } = await call(service_name, body, { ...headers, ...wrong })
    expect([status, answer.msg]).toEqual([400, 'Webhook signature verification failed.'])
  }
  expect((await call(service_name, body, { ...headers, [header]: signed(signature('hush')) })).status).toBe(
    200,
  )
  expect(await heard()).toHaveLength(1)
})

/** Yields a payload with each of its values, in turn, replaced by each of the others. */
function* wrongOnes(value: unknown, others: unknown[]): Generator<unknown> {
  yield* others
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    for (const replaced of wrongOnes(inner, others)) {
      if (Array.isArray(value)) yield value.map((item, i) => (String(i) === name ? replaced : item))
      else yield { ...value, [name]: replaced }
    }
  }
}
