import { expect, test } from 'vitest'
import { basics, importedFrom, later, nextDay, noon, slackMessage } from '../../../test/imports/slack.ts'
import { foundBy } from '../../../test/messages.ts'
import { testServer } from '../../../test/test-server.ts'

const all = testServer()

test('messages stand in the order of their times, with authors, edits and mentions, and are read', async () => {
  const { ann, as, made } = await importedFrom(all, {
    ...basics,
    'general/2023-11-16.json': [slackMessage('U2', nextDay, '*see* <#C2|old> <https://a.example|there>')],
    'old/2023-11-15.json': [slackMessage('U1', later, 'second')],
    'general/2023-11-15.json': [
      slackMessage('U2', noon, 'hello <@U1> :tada:', { edited: { user: 'U2', ts: later } }),
      slackMessage('U3', later, '<@U3> has joined the channel', { subtype: 'channel_join' }),
    ],
  })
  expect(made).toMatchObject({ messages: 3 })
  const found = await foundBy(ann)
  expect(found.map(({ timestamp }) => timestamp)).toEqual([1_700_049_600, 1_700_049_700, 1_700_136_000])
  expect(found[0]).toMatchObject({
    sender_full_name: 'Ben',
    subject: '',
    last_edit_timestamp: 1_700_049_700,
  })
  expect(found[0]!.content).toMatch(
    /^<p>hello <span class="user-mention" data-user-id="\d+">@Ann<\/span> <span/,
  )
  expect(found[0]!.flags).toEqual(expect.arrayContaining(['read', 'mentioned']))
  expect(found[2]!.content).toContain('<strong>see</strong> <a class="stream"')
  expect(found[2]!.content).toContain('<a href="https://a.example">there</a>')
  const { unread_msgs } = (await ann.register()).state
  expect(unread_msgs).toMatchObject({ count: 0 })
  // New messages get higher ids, and are unread.
  const ben = await as('ben@example.com')
  const sent = await ben.post('/messages', { type: 'stream', to: 'general', topic: 'new', content: 'now' })
  expect(sent.body.id).toBeGreaterThan(found[2]!.id)
  expect((await ann.register()).state.unread_msgs).toMatchObject({ count: 1 })
})

test('messages of a thread are a topic, named by how it begins', async () => {
  const root = { thread_ts: noon, reply_count: 2 }
  const reply = { thread_ts: noon }
  const { ann } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [
      slackMessage('U1', noon, '*Which* cake for <@U2>?\nSay now', root),
      slackMessage('U2', '1700049650.000100', 'not in it'),
      slackMessage('U2', later, 'apple', reply),
      slackMessage('U2', '1700049800.000100', 'Which cake for <@U2>?', {
        thread_ts: '1700049800.000100',
        reply_count: 1,
      }),
      slackMessage('U3', '1700049900.000100', 'lost', { thread_ts: '1600000000.000100' }),
    ],
    'general/2023-11-16.json': [slackMessage('U3', nextDay, 'plum', reply)],
  })
  const topics = (await foundBy(ann)).map(({ subject }) => subject)
  const [first, second] = ['Which cake for @Ben?', 'Which cake for @Ben? (2)']
  expect(topics).toEqual([first, '', first, second, 'thread', first])
})

test('no thread has the name of the empty topic, or counts as resolved', async () => {
  const begun = (ts: string, text: string) => slackMessage('U1', ts, text, { thread_ts: ts, reply_count: 1 })
  const { ann } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [begun(noon, 'general chat'), begun(later, '✔ done')],
    'general/2023-11-16.json': [begun(nextDay, '(no topic)')],
  })
  const topics = (await foundBy(ann)).map(({ subject }) => subject)
  expect(topics).toEqual(['general chat (2)', 'done', '(no topic) (2)'])
})

test('messages have the reactions that there are here, once for each user', async () => {
  const reactions = [
    { name: '+1', users: ['U1', 'U2'], count: 2 },
    { name: '+1::skin-tone-3', users: ['U1'], count: 1 },
    { name: 'white_check_mark', users: ['U2'], count: 1 },
    { name: 'party_parrot', users: ['U1', 'U2'], count: 2 },
  ]
  const { ann, made } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [slackMessage('U1', noon, 'well', { reactions })],
  })
  const [found] = await foundBy(ann)
  expect(found!.reactions).toHaveLength(3)
  expect(found!.reactions).toMatchObject([
    { emoji_name: '+1', emoji_code: '1f44d' },
    { emoji_name: '+1' },
    { emoji_name: 'check', emoji_code: '2705' },
  ])
  expect(made.lostReactions).toBe(2)
})

test('messages between people are direct messages, for them alone', async () => {
  const { ann, as } = await importedFrom(all, {
    ...basics,
    'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
    'mpims.json': [{ id: 'M1', name: 'mpdm-ann--ben--gus-1', members: ['U1', 'U2', 'U3'] }],
    'D1/2023-11-15.json': [slackMessage('U2', noon, 'for two')],
    'mpdm-ann--ben--gus-1/2023-11-15.json': [slackMessage('U3', later, 'for three')],
  })
  const texts = async (email: string) => (await foundBy(await as(email))).map(({ content }) => content)
  expect(await foundBy(ann, [{ operator: 'is', operand: 'dm' }])).toHaveLength(2)
  expect(await texts('ben@example.com')).toEqual(['<p>for two</p>', '<p>for three</p>'])
  expect(await texts('gus@example.com')).toEqual(['<p>for three</p>'])
})

test('people whom the export does not list take part in direct messages', async () => {
  const { ann } = await importedFrom(all, {
    ...basics,
    'dms.json': [{ id: 'D1', members: ['U1', 'W7'] }],
    // Older exports list conversations of several people among the private channels, too.
    'groups.json': [{ id: 'M1', name: 'mpdm-ann--ben--ext-1', members: ['U1', 'U2', 'W7'] }],
    'mpims.json': [{ id: 'M1', name: 'mpdm-ann--ben--ext-1', members: ['U1', 'U2', 'W7'] }],
    'D1/2023-11-15.json': [slackMessage('U1', noon, 'to you'), slackMessage('W7', later, 'to me')],
    'mpdm-ann--ben--ext-1/2023-11-15.json': [slackMessage('U2', '1700049800.000100', 'to us')],
  })
  const found = await foundBy(ann)
  expect(found.map(({ type }) => type)).toEqual(['private', 'private', 'private'])
  const people = found.map(({ display_recipient }) => (display_recipient as object[]).length)
  expect(people).toEqual([2, 2, 3])
  expect(found[0]!.recipient_id).toBe(found[1]!.recipient_id)
})

test('messages of bots and of people whom the export does not list have authors', async () => {
  const { ann } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [
      { type: 'message', subtype: 'bot_message', bot_id: 'B6', ts: noon, text: 'deployed' },
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B9',
        username: 'CI',
        ts: later,
        text: '',
        attachments: [{ title: 'Build 7', title_link: 'https://ci.example/7', text: 'it *failed*' }],
      },
      slackMessage('W7', nextDay, 'from elsewhere', { user_profile: { real_name: 'Ext Ernal' } }),
    ],
  })
  const found = await foundBy(ann)
  expect(found.map(({ sender_full_name }) => sender_full_name)).toEqual(['Deploy', 'CI', 'Ext Ernal'])
  expect(found[1]!.content).toMatch(/<blockquote>\s*<p><a href="https:\/\/ci.example\/7">Build 7<\/a>/)
  expect(found[1]!.content).toContain('<strong>failed</strong>')
})

test('a bot has the names under which it has written', async () => {
  const bridged = (username: string, ts: string) => ({
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B6',
    username,
    ts,
    text: 'hi',
  })
  const { ann, made } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [
      bridged('Zoe', noon),
      bridged('deploy!', later),
      bridged('Deploy', '1700049800.000100'),
      bridged('Zoe', '1700049900.000100'),
      { type: 'message', ts: '1700049950.000100', text: 'by none' },
    ],
  })
  const names = (await foundBy(ann)).map(({ sender_full_name }) => sender_full_name)
  expect(names).toEqual(['Zoe', 'deploy!', 'Deploy', 'Zoe', 'Slackbot'])
  expect(made.accounts).toBe(9)
})

test('what messages hold in blocks and forward is not lost', async () => {
  const { ann } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [
      slackMessage('U2', noon, '', {
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'only *here*' } }],
        attachments: [
          { fallback: '[no preview available]', blocks: [{ type: 'header', text: { text: 'Inside' } }] },
          { from_url: 'https://news.example', title: 'A preview' },
        ],
      }),
      slackMessage('U2', later, '', {
        attachments: [
          {
            from_url: 'https://acme.slack.example/p1',
            is_share: true,
            author_name: 'Gus',
            text: 'forwarded',
            fields: [
              { title: '', value: 'bare' },
              { title: 'By', value: 'me' },
            ],
          },
        ],
      }),
    ],
  })
  const [first, second] = await foundBy(ann)
  expect(first!.content).toContain('<p>only <strong>here</strong></p>')
  expect(first!.content).toContain('<strong>Inside</strong>')
  expect(first!.content).not.toMatch(/preview/)
  expect(second!.content).toMatch(
    /<blockquote>\s*<p><strong>Gus<\/strong><br>\s*forwarded<br>\s*bare<br>\s*<strong>By<\/strong>: me<\/p>/,
  )
})

test('private channels keep their names from those who are not there', async () => {
  const text = 'see <#G1|board>, <#C2>'
  const { ann } = await importedFrom(all, {
    ...basics,
    'channels.json': [
      { id: 'C2', name: 'old', members: ['U1'], purpose: { value: 'unlike <#G1|board> and <#C2>' } },
    ],
    'groups.json': [
      { id: 'G1', name: 'board', members: ['U1', 'U2'] },
      { id: 'G2', name: 'wide', members: ['U1', 'U2', 'U3'] },
    ],
    'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
    'old/2023-11-15.json': [slackMessage('U1', noon, text)],
    'board/2023-11-15.json': [slackMessage('U1', later, text)],
    'wide/2023-11-15.json': [slackMessage('U1', '1700049800.000100', text)],
    'D1/2023-11-15.json': [slackMessage('U1', '1700049900.000100', text)],
  })
  const contents = (await foundBy(ann)).map(({ content }) => content)
  expect(contents.map((content) => content.includes('board'))).toEqual([false, true, false, true])
  expect(contents[0]).toMatch(/^<p>see a private channel, <a class="stream"/)
  const { streams } = (await ann.get('/streams')).body
  const old = streams.find(({ name }: { name: string }) => name === 'old')
  expect(old.description).toBe('unlike a private channel and #old')
})

test('absurd times and names are left out, and the rest is imported', async () => {
  const { made, ann } = await importedFrom(all, {
    ...basics,
    'channels.json': [
      { id: 'C1', name: 'general', created: 1e300, members: ['U1', '__proto__'] },
      { id: '__proto__', name: 'constructor', created: -7, members: [] },
    ],
    'general/2023-11-15.json': [
      slackMessage('U1', noon, 'one', {
        edited: { ts: 'yesterday' },
        reactions: [{ name: '__proto__', users: ['U1'] }],
      }),
      slackMessage('U1', '9'.repeat(400), 'two'),
      slackMessage('toString', later, '<@hasOwnProperty> <#constructor>'),
      'three',
    ],
  })
  expect(made).toMatchObject({ messages: 2, channels: 2 })
  expect((await foundBy(ann)).map(({ content }) => content)).toEqual([
    '<p>one</p>',
    '<p>@hasOwnProperty #constructor</p>',
  ])
})

test('messages longer than a message may be become several', async () => {
  const line = `${'x'.repeat(99)}\n`
  const { ann } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [slackMessage('U1', noon, line.repeat(250))],
  })
  const found = await foundBy(ann, [{ operator: 'sender', operand: ann.id }])
  expect(found).toHaveLength(3)
  const length = found.reduce((sum, { content }) => sum + content.match(/x/g)!.length, 0)
  expect(length).toBe(250 * 99)
})
