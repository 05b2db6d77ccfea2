import { expect, test } from 'vitest'
import type { Person } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'
import {
  channels,
  ids,
  importedZulip,
  noon,
  recipients,
  zulipBasics,
  zulipFlags,
  zulipFound,
  zulipMessage,
  zulipSubscription,
} from '../../../test/zulip.ts'

const server = testServer()

const inChannel = (id: number) => [{ operator: 'channel', operand: id }]

test('messages keep their ids, texts, topics, senders and times, and our renderer makes their HTML', async () => {
  const edits = [
    {
      user_id: ids.ann,
      timestamp: noon + 9,
      prev_topic: 'old news',
      topic: 'news',
      prev_stream: 22,
      stream: 21,
    },
    {
      user_id: ids.ben,
      timestamp: noon + 5,
      prev_content: 'hello *x*',
      prev_rendered_content: '<i>theirs</i>',
    },
  ]
  const more = { edit_history: JSON.stringify(edits), last_edit_time: noon + 9 }
  const { as, made, log } = await importedZulip(server, {
    tables: {
      zerver_reaction: [
        {
          id: 1,
          message: 1000,
          user_profile: ids.ann,
          emoji_name: '+1',
          emoji_code: '1f44d',
          reaction_type: 'unicode_emoji',
        },
        {
          id: 2,
          message: 1000,
          user_profile: ids.ben,
          emoji_name: 'zulip',
          emoji_code: 'zulip',
          reaction_type: 'zulip_extra_emoji',
        },
        {
          id: 3,
          message: 1000,
          user_profile: ids.ben,
          emoji_name: 'x',
          emoji_code: '77',
          reaction_type: 'realm_emoji',
        },
        {
          id: 4,
          message: 77,
          user_profile: ids.ben,
          emoji_name: '+1',
          emoji_code: '1f44d',
          reaction_type: 'unicode_emoji',
        },
      ],
    },
    messages: [
      {
        zerver_message: [
          zulipMessage(
            1000,
            ids.ben,
            recipients.tea,
            `hello **you** @**Ann|${ids.ann}** #**tea>news@1000**`,
            more,
          ),
          zulipMessage(1001, ids.notifier, recipients.tea, 'a notice', { subject: '' }),
          zulipMessage(1002, 999, recipients.tea, 'by nobody'),
          zulipMessage(1003, ids.ben, 999, 'to nowhere'),
          zulipMessage(1000, ids.ben, recipients.tea, 'again'),
          { id: 'x' },
        ],
        zerver_usermessage: zulipFlags(ids.ann, { 1000: 8 | 2, 1001: 1 }),
        zerver_reaction: [
          {
            id: 9,
            message: 1001,
            user_profile: ids.ben,
            emoji_name: 'tada',
            emoji_code: '1f389',
            reaction_type: 'unicode_emoji',
          },
        ],
      },
      {
        zerver_message: [
          zulipMessage(2000, ids.ann, recipients.ben, 'to Ben', { subject: '\u0007' }),
          zulipMessage(2001, ids.ben, recipients.three, 'to us three'),
          zulipMessage(2002, ids.ann, recipients.ann, 'to me'),
          zulipMessage(2003, ids.ann, recipients.tea, '/poll What?\nTea\nMilk'),
        ],
        zerver_usermessage: [
          ...zulipFlags(ids.ben, { 2000: 0, 2001: 1 }),
          ...zulipFlags(ids.gus, { 2001: 0 }),
        ],
      },
    ],
  })
  expect(made).toMatchObject({ messages: 6, channels: 4 })
  expect(made.leftOut).toEqual({ lostReferences: 3, repeated: 1, damagedRows: 1, reactions: 1 })
  const [ann, ben, gus] = [await as('ann'), await as('ben'), await as('gus')]
  const [first, notice, poll] = await zulipFound(ann, inChannel(channels.tea))
  expect(first).toMatchObject({
    id: 1000,
    sender_id: ids.ben,
    subject: 'news',
    timestamp: Math.floor(noon + 1000),
    client: 'website',
    last_edit_timestamp: Math.floor(noon + 5),
    last_moved_timestamp: Math.floor(noon + 9),
    edit_history: [
      { user_id: ids.ann, prev_topic: 'old news', topic: 'news', prev_stream: 22, stream: 21 },
      { user_id: ids.ben, prev_content: 'hello *x*', prev_rendered_content: '<p>hello <em>x</em></p>' },
    ],
    reactions: [
      { emoji_code: '1f44d', user_id: ids.ann },
      { emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji', user_id: ids.ben },
    ],
  })
  expect(first!.content).toContain(`<span class="user-mention" data-user-id="${ids.ann}">@Ann</span>`)
  expect(first!.content).toContain(`/#narrow/channel/${channels.tea}-tea/topic/news/near/1000`)
  expect(first!.flags.sort()).toEqual(['mentioned', 'starred'])
  expect(notice).toMatchObject({
    subject: '',
    sender_full_name: 'Notification Bot',
    reactions: [{ emoji_name: 'tada' }],
  })
  expect(poll!.submessages).toMatchObject([{ msg_type: 'widget', content: expect.stringContaining('Tea') }])
  expect((await zulipFound(ben, [{ operator: 'dm', operand: [ids.ann] }])).map(({ id }) => id)).toEqual([
    2000,
  ])
  expect(
    (await zulipFound(gus, [{ operator: 'dm', operand: [ids.ann, ids.ben] }])).map(({ id }) => id),
  ).toEqual([2001])
  expect((await zulipFound(ann, [{ operator: 'dm', operand: [ids.ann] }])).map(({ id }) => id)).toEqual([
    2002,
  ])
  expect((await zulipFound(gus)).map(({ id }) => id)).not.toContain(2000)
  const sent = await ben.post('/messages', { type: 'direct', to: [ids.ann], content: 'next' })
  expect(sent.body.id).toBe(2004)
  expect(log.state.lastMessageId).toBe(2004)
})

test('unread messages stay unread, and no others are', async () => {
  const { as } = await importedZulip(server, {
    messages: [
      {
        zerver_message: [
          ...[1000, 1001, 1002, 1003].map((id) => zulipMessage(id, ids.ben, recipients.tea, `tea ${id}`)),
          zulipMessage(1004, ids.ben, recipients.ann, 'direct'),
          zulipMessage(1005, ids.ben, recipients.tea, 'tea 1005'),
        ],
        zerver_usermessage: [
          ...zulipFlags(ids.ann, { 1000: 1, 1001: 0, 1002: 1, 1003: 0, 1004: 0, 1005: 0 }),
          ...zulipFlags(ids.gus, { 1000: 1, 1001: 1, 1002: 1, 1003: 1, 1005: 1 }),
          ...zulipFlags(ids.ben, { 1000: 1, 1001: 1, 1002: 1, 1003: 1, 1004: 1, 1005: 0 }),
        ],
      },
    ],
  })
  const unread = async (who: Person) => (await who.register()).state.unread_msgs
  expect(await unread(await as('ann'))).toMatchObject({
    count: 4,
    streams: [{ stream_id: channels.tea, topic: 'news', unread_message_ids: [1001, 1003, 1005] }],
    pms: [{ other_user_id: ids.ben, unread_message_ids: [1004] }],
  })
  expect(await unread(await as('gus'))).toMatchObject({ count: 0 })
  const ben = await as('ben')
  expect(
    (await zulipFound(ben, inChannel(channels.tea))).filter(({ flags }) => !flags.includes('read')),
  ).toMatchObject([{ id: 1005 }])
})

test('those who have been away for long find what came meanwhile, unread', async () => {
  const log = (id: number, event_type: number, stream: number, last: number) => {
    return { id, event_type, modified_user: ids.idle, modified_stream: stream, event_last_message_id: last }
  }
  const { as, made } = await importedZulip(server, {
    tables: {
      zerver_realmauditlog: [
        log(1, 301, channels.tea, 900),
        log(2, 301, channels.secret, 900),
        log(3, 303, channels.secret, 1003),
        log(4, 302, channels.secret, 1005),
        { id: 5, event_type: 101, modified_user: null },
      ],
    },
    messages: [
      {
        zerver_message: [1000, 1001, 1002, 1003, 1004, 1005, 1006].flatMap((id) => [
          zulipMessage(2 * id, ids.ben, recipients.tea, `tea ${id}`),
          zulipMessage(id, ids.ben, recipients.secret, `secret ${id}`),
        ]),
        zerver_usermessage: zulipFlags(ids.idle, { 1000: 1, 1001: 0, 2002: 1 }),
      },
    ],
  })
  expect(made.leftOut).toEqual({})
  const idle = await as('idle')
  expect((await zulipFound(idle, inChannel(channels.secret))).map(({ id }) => id)).toEqual([
    1000, 1001, 1002, 1003, 1006,
  ])
  const { unread_msgs } = (await idle.register()).state
  expect(unread_msgs.streams).toMatchObject([
    { stream_id: channels.secret, unread_message_ids: [1006] },
    { stream_id: channels.tea, unread_message_ids: [2000, 2004, 2006, 2008, 2010, 2012] },
  ])
})

test('protected history is open to those who had it, and to nobody else', async () => {
  const { as } = await importedZulip(server, {
    tables: {
      zerver_subscription: [
        ...zulipBasics.zerver_subscription!,
        zulipSubscription(ids.gus, recipients.secret, { active: false }),
      ],
    },
    messages: [
      {
        zerver_message: [1000, 1001, 1002, 1003].map((id) =>
          zulipMessage(id, ids.ann, recipients.secret, `s ${id}`),
        ),
        zerver_usermessage: [
          ...zulipFlags(ids.ann, { 1000: 1, 1001: 1, 1002: 1, 1003: 1 }),
          ...zulipFlags(ids.ben, { 1000: 1, 1002: 0 }),
          ...zulipFlags(ids.gus, { 1000: 1, 1001: 1 }),
        ],
      },
      {
        zerver_message: [zulipMessage(1010, ids.ann, recipients.plans, 'open to subscribers')],
        zerver_usermessage: [],
      },
    ],
  })
  const [ann, ben, gus] = [await as('ann'), await as('ben'), await as('gus')]
  const inSecret = async (who: Person) =>
    (await zulipFound(who)).filter(({ stream_id }) => stream_id === channels.secret)
  expect((await inSecret(ann)).map(({ id }) => id)).toEqual([1000, 1001, 1002, 1003])
  expect((await inSecret(ben)).map(({ id }) => id)).toEqual([1000, 1002])
  expect(await inSecret(gus)).toEqual([])
  for (const id of [1001, 1003]) expect((await ben.get(`/messages/${id}`)).status).toBe(400)
  const all = [{ operator: 'channel', operand: channels.secret }]
  expect((await zulipFound(ben, all)).map(({ id }) => id)).toEqual([1000, 1002])
  expect((await zulipFound(ann, inChannel(channels.plans))).map(({ id }) => id)).toEqual([1010])
  expect((await ben.get('/messages/1010')).status).toBe(400)
  const sent = await ann.post('/messages', {
    type: 'channel',
    to: channels.secret,
    topic: 'news',
    content: 'new',
  })
  expect((await zulipFound(ben, all)).map(({ id }) => id)).toEqual([1000, 1002, sent.body.id])
})
