import { describe, expect, test } from 'vitest'
import { annaAndBen } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization(), { name: 'notes' })
  const send = async (params: object): Promise<number> =>
    (await anna.post('/messages', { content: 'x', ...params })).body.id
  const inChannel = await send({ type: 'channel', to: channel.id, topic: 'lunch' })
  const direct = await send({ type: 'direct', to: [ben.id] })
  return { org, anna, ben, channel, inChannel, direct }
}

const everything = { anchor: 'newest', num_before: 10, num_after: 0 }
const desc = 'No message can be both a channel message and direct message'
const refused = {
  status: 400,
  body: {
    result: 'error',
    msg: `Invalid narrow operator combination: ${desc}`,
    code: 'BAD_NARROW',
    desc,
  },
}

describe('rejects a narrow that asks for channels and for direct messages', () => {
  const channels = [
    ['channel', 'notes'],
    ['stream', 'notes'],
    ['channels', 'public'],
    ['streams', 'web-public'],
    ['topic', 'lunch'],
    ['topic', ''],
  ]
  test.each(channels)('%s %s', async (operator, operand) => {
    const { anna, ben } = await setting()
    for (const direct of [
      ['is', 'dm'],
      ['is', 'private'],
      ['dm', anna.email],
      ['pm-with', anna.email],
      ['dm-including', anna.email],
      ['group-pm-with', anna.email],
    ]) {
      const narrow = [direct, [operator, operand]]
      expect(await ben.get('/messages', { ...everything, narrow })).toMatchObject(refused)
    }
    const negated = [{ operator, operand, negated: true }, ['is', 'dm']]
    expect((await ben.get('/messages', { ...everything, narrow: negated })).body.messages).toHaveLength(1)
  })

  test('also rejects it with the conversation of a message, and in every parameter that takes a narrow', async () => {
    const { anna, ben, inChannel, direct } = await setting()
    const withThat = (id: number) => [
      ['with', String(id)],
      ['dm-including', anna.email],
    ]
    const flags = { ...everything, op: 'add', flag: 'starred' }
    expect(await ben.get('/messages', { ...everything, narrow: withThat(inChannel) })).toMatchObject(refused)
    const narrow = withThat(direct)
    expect((await ben.get('/messages', { ...everything, narrow })).body.messages).toHaveLength(1)
    const both = [
      ['topic', 'lunch'],
      ['is', 'dm'],
    ]
    expect(await ben.post('/messages/flags/narrow', { ...flags, narrow: both })).toMatchObject(refused)
    const matching = { msg_ids: [inChannel], narrow: both }
    expect(await ben.get('/messages/matches_narrow', matching)).toMatchObject(refused)
  })
})

test('an event queue accepts unknown operands of `is`, and rejects only `is:followed`', async () => {
  const { anna, ben, channel } = await setting()
  const queue = async (...narrow: string[][]) => {
    const client = await ben.register({ event_types: ['message'], narrow })
    await anna.post('/messages', { type: 'channel', to: channel.id, topic: 'lunch', content: 'x' })
    await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
    return (await client.events()).map(({ message }) => message.type)
  }
  const notes = ['stream', 'notes']
  expect(await queue(notes, ['is', 'stream'])).toEqual(['stream'])
  expect(await queue(['is', 'bogus'])).toEqual(['stream', 'private'])
  expect(await queue(['is', 'muted'])).toEqual(['stream', 'private'])
  expect(await queue(['is', 'private'])).toEqual(['private'])
  for (const [path, params] of [
    ['/register', {}],
    ['/events', { dont_block: true }],
  ] as const) {
    const asked = { ...params, narrow: [notes, ['is', 'followed']] }
    const { body } = path === '/register' ? await ben.post(path, asked) : await ben.get(path, asked)
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Operator is not supported.' })
  }
})
