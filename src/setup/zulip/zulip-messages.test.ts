import { expect, test } from 'vitest'
import {
  channels,
  ids,
  importedZulip,
  inZulipChannel,
  noon,
  recipients,
  zulipFlags,
  zulipMessage,
} from '../../../test/imports/zulip.ts'
import { foundBy } from '../../../test/messages.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

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
  const [first, notice, poll] = await foundBy(ann, inZulipChannel(channels.tea))
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
  expect((await foundBy(ben, [{ operator: 'dm', operand: [ids.ann] }])).map(({ id }) => id)).toEqual([2000])
  expect((await foundBy(gus, [{ operator: 'dm', operand: [ids.ann, ids.ben] }])).map(({ id }) => id)).toEqual(
    [2001],
  )
  expect((await foundBy(ann, [{ operator: 'dm', operand: [ids.ann] }])).map(({ id }) => id)).toEqual([2002])
  expect((await foundBy(gus)).map(({ id }) => id)).not.toContain(2000)
  const sent = await ben.post('/messages', { type: 'direct', to: [ids.ann], content: 'next' })
  expect(sent.body.id).toBe(2004)
  expect(log.state.lastMessageId).toBe(2004)
})
