import { expect, test } from 'vitest'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { widgetLimits } from '../kernel/widgets/limits.ts'
import { widgetOf } from '../kernel/widgets/widget.ts'
import { submessageLimits } from './limits.ts'

const { organization, anotherNode } = testServer()

async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization())
  const send = async (content: string, more: object = {}) =>
    (await anna.post('/messages', { type: 'channel', to: channel.id, topic: 't', content, ...more })).body
  return { org, anna, ben, channel, send }
}

function submit(who: Person, message_id: number, content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return who.post('/submessage', { message_id, msg_type: 'widget', content: text })
}

test.each([
  ['/poll Lunch?\npizza\n- salad\n\n', 'poll', { question: 'Lunch?', options: ['pizza', 'salad'] }],
  ['/poll', 'poll', { question: '', options: [] }],
  ['/poll\na\n* b', 'poll', { question: '', options: ['a', 'b'] }],
  [
    '/todo Tasks\nbuy: milk: two\ncook',
    'todo',
    {
      task_list_title: 'Tasks',
      tasks: [
        { task: 'buy', desc: 'milk: two' },
        { task: 'cook', desc: '' },
      ],
    },
  ],
])('%j is a widget', (content, widget_type, extra_data) => {
  const text = widgetOf(content, undefined)!
  expect(JSON.parse(text)).toEqual({ widget_type, extra_data })
})

test.each(['/pollen', 'no /poll', '/me waves', '/', ''])('%j is not a widget', (content) => {
  expect(widgetOf(content, undefined)).toBeNull()
})

test('a text is stored as written, with any brackets and spaces', () => {
  const text = widgetOf('/poll {  "a" :\n[ 1 ,  2 ]', undefined)!
  expect(text).toBe(
    '{"widget_type": "poll", "extra_data": {"question": "{  \\"a\\" :", "options": ["[ 1 ,  2 ]"]}}',
  )
})

test('a message includes its poll, and votes are announced and stored', async () => {
  const { anna, ben, send } = await setting()
  const [hers, his] = [await anna.register(), await ben.register()]
  const { id } = await send('/poll Q?\na\nb')
  const [message] = (await his.events()).filter(({ type }) => type === 'message')
  const [widget] = message!.message.submessages
  expect(widget).toMatchObject({ message_id: id, sender_id: anna.id, msg_type: 'widget' })
  expect(JSON.parse(widget.content)).toEqual({
    widget_type: 'poll',
    extra_data: { question: 'Q?', options: ['a', 'b'] },
  })
  const vote = '{"type":"vote","key":"canned,0","vote":1}'
  expect((await submit(ben, id, vote)).body).toEqual({ result: 'success', msg: '' })
  const [event] = await his.events()
  expect(event).toMatchObject({
    type: 'submessage',
    msg_type: 'widget',
    message_id: id,
    sender_id: ben.id,
    content: vote,
  })
  expect((await hers.events()).at(-1)).toEqual(event)
  const { body } = await anna.get('/messages', { message_ids: [id] })
  expect(body.messages[0].submessages).toEqual([
    widget,
    { id: event!.submessage_id, message_id: id, sender_id: ben.id, msg_type: 'widget', content: vote },
  ])
})

test('another node sends the widget as created, followed by its submessages', async () => {
  const { ben, send } = await setting()
  const there = ben.at({ ...ben.place, port: (await anotherNode()).port })
  const client = await there.register()
  const { id } = await send('/poll Q?\na')
  await submit(ben, id, { type: 'vote', key: 'canned,0', vote: 1 })
  const heard: [string, number | undefined][] = []
  const listen = async () => {
    for (const event of await client.events()) heard.push([event.type, event.message?.submessages.length])
    return heard
  }
  await expect.poll(listen).toEqual([
    ['message', 1],
    ['submessage', undefined],
  ])
})

test.each([
  [{ type: 'vote', key: 'x' }, 'vote key is missing from poll data'],
  [{ type: 'vote', key: 'x', vote: 5 }, 'Invalid poll data["vote"]'],
  [{ type: 'vote', key: 1, vote: 1 }, 'poll data["key"] is not a string'],
  [{ type: 'vote', key: 'x', vote: 1, more: 1 }, 'Unexpected arguments: more'],
  [{ type: 'question', question: 'new' }, "You can't edit a question unless you are the author."],
  [{ type: 'new_option', option: 'c' }, 'idx key is missing from poll data'],
  [{ type: 'dance' }, 'Unknown type for poll data: dance'],
  [{}, 'type key is missing from poll data'],
  [[], 'poll data is not a dict'],
  ['nojson', 'Invalid json for submessage'],
])('rejects %j for a poll', async (content, msg) => {
  const { ben, send } = await setting()
  const { id } = await send('/poll Q?')
  expect(await submit(ben, id, content)).toMatchObject({ status: 400, body: { msg } })
})

test('limits the submessages of one message', async () => {
  const { ben, send } = await setting()
  const { id } = await send('/poll Q?')
  const option = (idx: number, option: string) => ({ type: 'new_option', idx, option })
  const long = 'x'.repeat(submessageLimits.submessageLength - 100)
  const answers: string[] = []
  for (
    let i = 0;
    i * submessageLimits.submessageLength <
    submessageLimits.submessagesLength + submessageLimits.submessageLength;
    i++
  ) {
    answers.push((await submit(ben, id, option(i, long))).body.msg)
  }
  expect(new Set(answers.slice(0, 49))).toEqual(new Set(['']))
  expect(answers.at(-1)).toBe('This message has too many submessages.')
})

test('a to-do list has its own rules', async () => {
  const { anna, ben, send } = await setting()
  const { id } = await send('/todo Q?')
  const task = { type: 'new_task', key: 2, task: 't', desc: '', completed: false }
  expect((await submit(ben, id, task)).status).toBe(200)
  expect((await submit(ben, id, { type: 'strike', key: '0,1' })).status).toBe(200)
  const title = { type: 'new_task_list_title', title: 'new' }
  expect((await submit(ben, id, title)).body.msg).toBe(
    "You can't edit the task list title unless you are the author.",
  )
  expect((await submit(anna, id, title)).status).toBe(200)
  expect((await submit(anna, id, { ...task, completed: 1 })).body.msg).toBe(
    'todo data["completed"] is not a boolean',
  )
})

test('only the sender can turn a plain message into a widget', async () => {
  const { org, anna, ben, send } = await setting()
  const { id } = await send('plain')
  expect((await submit(ben, id, {})).body.msg).toBe('You cannot attach a submessage to this message.')
  expect((await submit(anna, id, {})).status).toBe(200)
  expect((await submit(ben, id, {})).status).toBe(200)
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  const sent = await anna.post('/messages', { type: 'channel', to: closed.id, topic: 't', content: '/poll' })
  const his = await ben.register()
  expect((await submit(ben, sent.body.id, {})).body.msg).toBe('Invalid message(s)')
  await submit(anna, sent.body.id, { type: 'vote', key: 'x', vote: 1 })
  expect(await his.events()).toEqual([])
})

const choice = { type: 'multiple_choice', long_name: 'l', short_name: 'A', reply: 'r' }

test('a bot may send buttons', async () => {
  const { anna, send } = await setting()
  const zform = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'h', choices: [choice] } }
  const { id } = await send('x', { widget_content: JSON.stringify(zform) })
  const { message } = (await anna.get(`/messages/${id}`)).body
  expect(JSON.parse(message.submessages[0].content)).toEqual(zform)
})

test.each([
  ['{bad', 'API programmer sent invalid JSON content'],
  ['[]', 'widget_content is not a dict'],
  ['{}', 'widget_type is not in widget_content'],
  ['{"widget_type":"x"}', 'extra_data is not in widget_content'],
  ['{"widget_type":"x","extra_data":[]}', 'extra_data is not a dict'],
  ['{"widget_type":"x","extra_data":{}}', 'unknown widget type: x'],
  ['{"widget_type":"zform","extra_data":{}}', 'zform is missing type field'],
  ['{"widget_type":"zform","extra_data":{"type":"x"}}', 'unknown zform type: x'],
  ['{"widget_type":"zform","extra_data":{"type":"choices"}}', 'heading key is missing from extra_data'],
])('rejects widget_content %s', async (widget_content, msg) => {
  const { send } = await setting()
  expect(await send('x', { widget_content })).toMatchObject({ result: 'error', msg: `Widgets: ${msg}` })
})

test('limits the number of buttons of a bot', async () => {
  const { send } = await setting()
  const heading = 'h'.repeat(widgetLimits.widgetLength)
  const zform = { widget_type: 'zform', extra_data: { type: 'choices', heading, choices: [choice] } }
  expect(await send('x', { widget_content: JSON.stringify(zform) })).toMatchObject({
    result: 'error',
    msg: `widget_content is too long (limit: ${widgetLimits.widgetLength} characters)`,
  })
})
