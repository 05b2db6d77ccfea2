import { describe, expect, test } from 'vitest'
import { changeRealm, messageIn, sender } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { processorSeconds } from '../../../../test/runner/effort.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import type { Edit } from '../../../db/values.ts'
import { htmlDifference } from './html-difference.ts'
import { editLimits } from './limits.ts'

const { organization } = sharedServer()

describe('GET /messages/{id}/history', () => {
  test('returns every version of the message from the beginning', async () => {
    const org = await organization()
    const [anna, eve] = [await org.person(), await org.person({ role: 'guest' })]
    const channel = await org.channel({ subscribers: [org.owner, anna] })
    const id = await sender(anna, channel)('', 'one two')
    await anna.patch(`/messages/${id}`, { content: 'one three', topic: 'named' })
    await org.owner.patch(`/messages/${id}`, { topic: 'better' })
    await anna.patch(`/messages/${id}`, { content: 'four' })
    const { body } = await org.owner.get(`/messages/${id}/history`)
    const timestamp = expect.any(Number)
    const [one, three, four] = ['one two', 'one three', 'four'].map((content) => ({
      content,
      rendered_content: `<p>${content}</p>`,
      timestamp,
    }))
    expect(body.message_history).toEqual([
      { ...one, topic: 'general chat', user_id: anna.id },
      {
        ...three,
        topic: 'named',
        user_id: anna.id,
        prev_topic: 'general chat',
        prev_content: 'one two',
        prev_rendered_content: '<p>one two</p>',
        content_html_diff:
          '<div><p>one <span class="highlight_text_inserted">three</span> ' +
          '<span class="highlight_text_deleted">two</span></p></div>',
      },
      { ...three, topic: 'better', user_id: org.owner.id, prev_topic: 'named' },
      {
        ...four,
        topic: 'better',
        user_id: anna.id,
        prev_content: 'one three',
        prev_rendered_content: '<p>one three</p>',
        content_html_diff:
          '<div><p><span class="highlight_text_inserted">four</span></p>' +
          '<p><span class="highlight_text_deleted">one three</span></p></div>',
      },
    ])
    const named = await org.owner.get(`/messages/${id}/history`, { allow_empty_topic_name: true })
    expect(named.body.message_history[0].topic).toBe('')
    expect((await eve.get(`/messages/${id}/history`)).body.msg).toBe('Invalid message(s)')
  })

  test('shows as much as the organization allows', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const id = await sender(org.owner, channel)('t', 'one')
    await org.owner.patch(`/messages/${id}`, { content: 'two', topic: 'new' })
    await org.owner.patch(`/messages/${id}`, { content: 'three' })
    await changeRealm(org, { message_edit_history_visibility_policy: 'moves' })
    const { body } = await org.owner.get(`/messages/${id}/history`)
    expect(body.message_history).toMatchObject([
      { topic: 't', content: 'three' },
      { topic: 'new', prev_topic: 't', content: 'three' },
    ])
    expect(JSON.stringify(body)).not.toMatch(/one|two/)
    const { edit_history } = await messageIn(org.owner, id)
    expect(edit_history).toEqual([
      { user_id: org.owner.id, timestamp: expect.any(Number), prev_topic: 't', topic: 'new' },
    ])
    await changeRealm(org, { message_edit_history_visibility_policy: 'none' })
    const client = await org.owner.register()
    expect((await org.owner.get(`/messages/${id}/history`)).body.msg).toBe(
      'Message edit history is disabled in this organization',
    )
    expect(await messageIn(org.owner, id)).not.toHaveProperty('edit_history')
    await org.owner.patch(`/messages/${id}`, { content: 'four' })
    const [event] = await client.events()
    expect(event).toMatchObject({ content: 'four' })
    expect(event).not.toHaveProperty('orig_content')
  })

  test('returns the history of a message with very many edits quickly', async () => {
    const org = await organization()
    const id = await sender(org.owner, await org.channel({ subscribers: [org.owner] }))('t', text(0))
    await putHistory(
      org,
      id,
      Array.from({ length: 1_000 }, (_, i) => ({ content: 'x', rendered: `<p>${text(i + 1)}</p>` })),
    )
    const seconds = await processorSeconds(async () => {
      const { body } = await org.owner.get(`/messages/${id}/history`)
      expect(body.message_history).toHaveLength(1_001)
      expect(body.message_history[1_000].content_html_diff).toContain('highlight_text_inserted')
    })
    expect(seconds).toBeLessThan(5)
  })

  test('limits the length of the history', async () => {
    const org = await organization()
    const id = await sender(org.owner, await org.channel({ subscribers: [org.owner] }))('t', 'one')
    const content = 'x'.repeat(editLimits.editHistoryBytes / 2)
    await putHistory(org, id, [{ content, rendered: content }])
    const edit = async (params: object) => (await org.owner.patch(`/messages/${id}`, { ...params })).body.msg
    expect(await edit({ content: 'two' })).toBe('This message has been changed too often.')
    expect(await edit({ topic: 'other' })).toBe('')
  })
})

/** Returns different words, or a different order of words, for each number. */
function text(number: number) {
  return Array.from({ length: 490 }, (_, i) => `w${(i * (number + 7)) % 491}`).join(' ')
}

/** Writes these edits into the history of a message. */
function putHistory(org: Organization, id: number, edits: Pick<Edit, 'content' | 'rendered'>[]) {
  const history = edits.map((edit) => ({ user_id: org.owner.id, at: 0, ...edit }))
  return org.log.commit((change) => change.update('message', { id, edit_history: history }))
}

describe('GET /messages/{id}/read_receipts', () => {
  test('lists users who have read the message and share their read receipts', async () => {
    const org = await organization()
    const [anna, ben, carl, eve] = [
      await org.person(),
      await org.person(),
      await org.person(),
      await org.person(),
    ]
    const channel = await org.channel({ subscribers: [org.owner, anna, ben, carl] })
    const id = await sender(org.owner, channel)('t', 'read me')
    for (const who of [org.owner, anna, carl, eve]) {
      await who.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    }
    await carl.patch('/settings', { send_read_receipts: false })
    const ask = () => ben.get(`/messages/${id}/read_receipts`)
    expect((await ask()).body).toMatchObject({ result: 'success', user_ids: [anna.id] })
    await changeRealm(org, { enable_read_receipts: false })
    expect((await ask()).body.msg).toBe('Read receipts are disabled in this organization.')
    const hidden = await org.channel({ subscribers: [org.owner], isPrivate: true })
    const other = await sender(org.owner, hidden)('t', 'x')
    expect((await ben.get(`/messages/${other}/read_receipts`)).body.msg).toBe('Invalid message(s)')
  })
})

const readersOf = async (who: Person, id: number) =>
  (await who.get(`/messages/${id}/read_receipts`)).body.user_ids

test('a user who read a message in a private channel stays listed after leaving the channel', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner, anna, ben], isPrivate: true })
  const id = await sender(org.owner, channel)('t', 'read me')
  const leave = (who: Person) => who.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await anna.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await leave(anna)
  await leave(ben)
  expect(await readersOf(org.owner, id)).toEqual([anna.id])
})

test('readers of a message are not listed after it moves to a channel that they never joined', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const from = await org.channel({ subscribers: [org.owner, anna, ben] })
  const to = await org.channel({ subscribers: [org.owner, ben], isPrivate: true })
  const id = await sender(org.owner, from)('t', 'read me')
  for (const who of [anna, ben])
    await who.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await org.owner.patch(`/messages/${id}`, { stream_id: to.id, send_notification_to_new_thread: false })
  expect(await readersOf(org.owner, id)).toEqual([ben.id])
})

const [ins, del] = ['inserted', 'deleted'].map(
  (kind) => (text: string) => `<span class="highlight_text_${kind}">${text}</span>`,
) as [(text: string) => string, (text: string) => string]

test.each([
  ['nothing', '<p>a <b>b</b></p>', '<p>a <b>b</b></p>', '<p>a <b>b</b></p>'],
  ['a word', '<p>a b c</p>', '<p>a x c</p>', `<p>a ${ins('x')} ${del('b')} c</p>`],
  [
    'a word inside a tag',
    '<p>a <b>b c</b></p>',
    '<p>a <b>b x</b></p>',
    `<p>a <b>b ${ins('x')} ${del('c')}</b></p>`,
  ],
  ['a tag', '<p>a b</p>', '<p>a <b>c</b></p>', `<p>a ${ins('<b>c</b>')} ${del('b')}</p>`],
  ['a paragraph', '<p>a</p>', '<p>a</p>\n<p>b</p>', `<p>a</p> <p>${ins('b')}</p>`],
  ['all', '<p>a</p>', '<p>b<br>\nc</p>', `<p>${ins('b<br> c')}</p><p>${del('a')}</p>`],
])('shows an edit that changes %s', (_, before, after, difference) => {
  expect(htmlDifference(before, after, editLimits.diffSteps)).toBe(`<div>${difference}</div>`)
})

test('shows an edit of a very long text', () => {
  const long = (word: string) => `<p>${`${word} `.repeat(5_000)}</p>`
  expect(htmlDifference(long('a'), long('b'), editLimits.diffSteps)).toContain('highlight_text_inserted')
})

test('shows every change of a long text that was edited in many places', () => {
  const long = (word: string) => `<p>${`${word} ${'a b c d '.repeat(200)}`.repeat(5)}</p>`
  const difference = htmlDifference(long('x'), long('y'), editLimits.diffSteps)
  expect(difference.match(/<span/g)).toHaveLength(10)
})
