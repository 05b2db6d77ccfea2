import { expect, test } from 'vitest'
import {
  channels,
  ids,
  importedZulip,
  inZulipChannel,
  recipients,
  zulipBasics,
  zulipFlags,
  zulipMessage,
  zulipSubscription,
} from '../../../test/imports/zulip.ts'
import { foundBy } from '../../../test/messages.ts'
import type { Person } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

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
    (await foundBy(ben, inZulipChannel(channels.tea))).filter(({ flags }) => !flags.includes('read')),
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
  expect((await foundBy(idle, inZulipChannel(channels.secret))).map(({ id }) => id)).toEqual([
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
      },
    ],
  })
  const [ann, ben, gus] = [await as('ann'), await as('ben'), await as('gus')]
  const inSecret = async (who: Person) =>
    (await foundBy(who)).filter(({ stream_id }) => stream_id === channels.secret)
  expect((await inSecret(ann)).map(({ id }) => id)).toEqual([1000, 1001, 1002, 1003])
  expect((await inSecret(ben)).map(({ id }) => id)).toEqual([1000, 1002])
  expect(await inSecret(gus)).toEqual([])
  for (const id of [1001, 1003]) expect((await ben.get(`/messages/${id}`)).status).toBe(400)
  const all = [{ operator: 'channel', operand: channels.secret }]
  expect((await foundBy(ben, all)).map(({ id }) => id)).toEqual([1000, 1002])
  expect((await foundBy(ann, inZulipChannel(channels.plans))).map(({ id }) => id)).toEqual([1010])
  expect((await ben.get('/messages/1010')).status).toBe(400)
  const sent = await ann.post('/messages', {
    type: 'channel',
    to: channels.secret,
    topic: 'news',
    content: 'new',
  })
  expect((await foundBy(ben, all)).map(({ id }) => id)).toEqual([1000, 1002, sent.body.id])
})

test('messages that others have brought to a public channel are read, and those around them stay unread', async () => {
  const { as } = await importedZulip(server, {
    messages: [
      {
        zerver_message: [1000, 1001, 1002].map((id) =>
          zulipMessage(id, ids.ben, recipients.tea, `tea ${id}`),
        ),
        zerver_usermessage: zulipFlags(ids.ann, { 1000: 0, 1002: 0 }),
      },
    ],
  })
  const { unread_msgs } = (await (await as('ann')).register()).state
  expect(unread_msgs.streams).toMatchObject([{ stream_id: channels.tea, unread_message_ids: [1000, 1002] }])
})

test('people who shared nothing private read what they could read, once their account is open', async () => {
  const log = (id: number, event_type: number, last: number) => {
    return {
      id,
      event_type,
      modified_user: ids.dummy,
      modified_stream: channels.secret,
      event_last_message_id: last,
    }
  }
  const { as, log: realm } = await importedZulip(server, {
    tables: {
      zerver_realmauditlog: [log(1, 301, 1000), log(2, 303, 1002), log(3, 302, 1003)],
      zerver_subscription: [
        ...zulipBasics.zerver_subscription!,
        zulipSubscription(ids.dummy, recipients.secret),
      ],
    },
    messages: [
      {
        zerver_message: [1000, 1001, 1002, 1003, 1004].map((id) =>
          zulipMessage(id, ids.ann, recipients.secret, 'x'),
        ),
        zerver_usermessage: zulipFlags(ids.ann, { 1000: 1 }),
      },
    ],
  })
  await realm.commit((change) => change.update('account', { id: ids.dummy, is_active: true }))
  const dummy = await as('dummy')
  const found = await foundBy(dummy, inZulipChannel(channels.secret))
  expect(found.map(({ id, flags }) => [id, flags.includes('read')])).toEqual([
    [1001, true],
    [1002, true],
    [1004, true],
  ])
})
