import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sender } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { tries } from '../../../../test/runner/effort.ts'
import { testServer } from '../../../../test/test-server.ts'
import type { MessageRow } from '../../../db/schema.ts'
import type { Condition } from '../../../narrow/condition.ts'
import { conditionToPredicate } from '../../../narrow/predicate.ts'
import { conditionToSql } from '../../../narrow/sql.ts'
import { narrowFacts } from './narrow.ts'

const w = testServer()

type Term = [operator: string, operand: unknown, negated?: 'not']

async function found(who: Person, terms: Term[], params: object = {}) {
  const narrow = terms.map(([operator, operand, negated]) => ({ operator, operand, negated: !!negated }))
  const { body } = await who.get('/messages', { anchor: 'newest', num_before: 100, narrow, ...params })
  expect(body).toMatchObject({ result: 'success' })
  return body.messages
}

async function ids(who: Person, ...terms: Term[]): Promise<number[]> {
  return (await found(who, terms)).map((message: { id: number }) => message.id)
}

async function place() {
  const { org, anna, ben, channel } = await annaAndBen(await w.organization())
  return { org, anna, ben, channel, say: sender(anna, channel) }
}

describe('properties of a message', () => {
  test('has', async () => {
    const { ben, say, anna } = await place()
    const plain = await say('a', 'nothing')
    const link = await say('a', 'https://example.com/x')
    const image = await say('a', 'https://example.com/a.png')
    expect(await ids(ben, ['has', 'link'])).toEqual([link, image])
    expect(await ids(ben, ['has', 'image'])).toEqual([image])
    expect(await ids(ben, ['has', 'attachment'])).toEqual([])
    await anna.patch(`/messages/${link}`, { content: 'none any more' })
    await anna.patch(`/messages/${plain}`, { content: 'https://example.com' })
    expect(await ids(ben, ['has', 'link'])).toEqual([plain, image])
    await ben.post(`/messages/${link}/reactions`, { emoji_name: 'tada' })
    expect(await ids(anna, ['has', 'reaction'])).toEqual([link])
    expect(await ids(anna, ['has', 'reaction', 'not'], ['has', 'link', 'not'])).toEqual([])
  })

  test('is, for the reader', async () => {
    const { anna, ben, say } = await place()
    const hello = await say('a', 'hello')
    const mention = await say('✔ b', `@**${ben.name}**`)
    const everybody = await say('c', '@**all**')
    await ben.post('/messages/flags', { messages: [hello], op: 'add', flag: 'starred' })
    await ben.post('/messages/flags', { messages: [everybody], op: 'add', flag: 'read' })
    expect(await ids(ben, ['is', 'starred'])).toEqual([hello])
    expect(await ids(anna, ['is', 'starred'])).toEqual([])
    expect(await ids(ben, ['is', 'mentioned'])).toEqual([mention, everybody])
    expect(await ids(ben, ['is', 'unread'])).toEqual([hello, mention])
    expect(await ids(ben, ['is', 'unread', 'not'])).toEqual([everybody])
    expect(await ids(ben, ['is', 'resolved'])).toEqual([mention])
    expect(await ids(ben, ['is', 'alerted'])).toEqual([])
  })

  test('followed and muted topics; home contains all unmuted messages', async () => {
    const { ben, channel, say } = await place()
    const [a, b, c] = [await say('a', '1'), await say('b', '2'), await say('c', '3')]
    const want = (topic: string, visibility_policy: number) =>
      ben.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })
    await want('A', 3)
    await want('b', 1)
    expect(await ids(ben, ['is', 'followed'])).toEqual([a])
    expect(await ids(ben, ['is', 'muted'])).toEqual([b])
    expect(await ids(ben, ['in', 'home'])).toEqual([a, c])
    expect(await ids(ben, ['in', 'home', 'not'])).toEqual([b])
    const data = [{ stream_id: channel.id, property: 'is_muted', value: true }]
    await ben.post('/users/me/subscriptions/properties', { subscription_data: data })
    expect(await ids(ben, ['in', 'home'])).toEqual([a])
    expect(await ids(ben, ['is', 'muted'])).toEqual([b, c])
    expect(await ids(ben, ['in', 'all'])).toEqual([a, b, c])
  })
})

test('messages that a user starred or reacted to elsewhere count as received while the user may read them', async () => {
  const { org, anna, channel, say } = await place()
  const eve = await org.person()
  const [starred, reacted] = [await say('a', 'x'), await say('a', 'y'), await say('a', 'z')]
  await eve.post('/messages/flags', { messages: [starred], op: 'add', flag: 'starred' })
  await eve.post(`/messages/${reacted}/reactions`, { emoji_name: 'tada' })
  expect(await ids(eve)).toEqual([starred, reacted])
  expect(await ids(eve, ['is', 'starred'], ['channel', channel.id])).toEqual([starred])
  await anna.patch(`/streams/${channel.id}`, { is_private: true })
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  expect(await ids(eve)).toEqual([])
})

test('with follows a message to its current location', async () => {
  const { org, ben, channel, say } = await place()
  const [first, second] = [await say('old', '1'), await say('old', '2')]
  await org.owner.patch(`/messages/${first}`, { topic: 'new', propagate_mode: 'change_all' })
  const other = await say('old', 'left')
  const notices = await ids(ben, ['channel', channel.id], ['topic', 'new'])
  expect(notices).toEqual(expect.arrayContaining([first, second]))
  expect(await ids(ben, ['channel', channel.id], ['topic', 'old'], ['with', second])).toEqual(notices)
  expect(await ids(ben, ['with', first])).not.toContain(other)
  expect(await ids(ben, ['topic', 'old'], ['with', 999_999])).toContain(other)
  const refused = await ben.get('/messages', { anchor: 0, narrow: [['with', '999999']] })
  expect(refused.body).toMatchObject({ code: 'BAD_NARROW', desc: "Invalid 'with' operator" })
})

describe('search', () => {
  const mark = (word: string) => `<span class="highlight">${word}</span>`

  test.each<[search: string, content: string, match: string | null]>([
    ['pineapples', 'a pineapple.', `<p>a ${mark('pineapple')}.</p>`],
    ['running', 'he **runs**', `<p>he <strong>${mark('runs')}</strong></p>`],
    ['"big red"', 'a big **red** bus', `<p>a ${mark('big')} <strong>${mark('red')}</strong> bus</p>`],
    ['"red big"', 'a big red bus', null],
    ['"the bus"', 'a bus', null],
    ['"The Bus"', 'on the bus', `<p>on the ${mark('bus')}</p>`],
    ['"100_ buses"', '1000 buses', null],
    ['red big', 'a big red bus', `<p>a ${mark('big')} ${mark('red')} bus</p>`],
    ['amp', 'this &amp; that', null],
    ['strong', 'so **much**', null],
    ['the', 'the end', null],
    ['cat', '<cat> & cats', `<p>&lt;${mark('cat')}&gt; &amp; ${mark('cats')}</p>`],
    [`'; --`, 'x', null],
    ['天気', '今日はいい天気ですね', `<p>今日はいい${mark('天気')}ですね</p>`],
    ['猫', '黒い猫', `<p>黒い${mark('猫')}</p>`],
    ['天日', '今日はいい天気', null],
    ['今日 天気', '天気は今日', `<p>${mark('天気')}は${mark('今日')}</p>`],
    ['会議室', '会議の議室', null],
    ['학교', '우리 학교에서 만나요', `<p>우리 ${mark('학교')}에서 만나요</p>`],
    ['ประชุม', 'การประชุมวันนี้', `<p>การ${mark('ประชุม')}วันนี้</p>`],
    ['𠮷野', '𠮷野家で', `<p>${mark('𠮷野')}家で</p>`],
    ['开会 lunches', '中午lunch 开会吗 lunch', `<p>中午lunch ${mark('开会')}吗 ${mark('lunch')}</p>`],
    ['"lunch 开会"', '开会 lunch', null],
    ['"lunch 开会"', 'a lunch 开会了', `<p>a ${mark('lunch')} ${mark('开会')}了</p>`],
    ['Rookery服务器', 'Rookery服务器', `<p>${mark('Rookery服务器')}</p>`],
    ['rookery服务器', '我们用Rookery服务器吧', `<p>我们用${mark('Rookery服务器')}吧</p>`],
    ['3月5日', '3月5日に', `<p>${mark('3月5日')}に</p>`],
    ['"3月5日"', '明日は3月5日', `<p>明日は${mark('3月5日')}</p>`],
    ['3月5日', '5月3日', null],
    ['第3章 先', '第3章 先に', `<p>${mark('第3章')} ${mark('先')}に</p>`],
    ['AI가', 'AI가 좋다', `<p>${mark('AI가')} 좋다</p>`],
    ['café的', 'Café的人', `<p>${mark('Café的')}人</p>`],
    ['the 天気', '今日は**天気**', `<p>今日は<strong>${mark('天気')}</strong></p>`],
  ])('%j in %j', async (search, content, match) => {
    const { ben, say } = await place()
    const id = await say('topic', content)
    const messages = await found(ben, [['search', search]])
    if (match === null) expect(messages).toEqual([])
    else expect(messages).toMatchObject([{ id, match_content: match, match_subject: 'topic' }])
  })

  test('matches topics, and highlights the matches as HTML', async () => {
    const { ben, say } = await place()
    const id = await say('<b> lunches', 'no such word')
    const [message] = await found(ben, [['search', 'lunch']], { apply_markdown: false })
    expect(message).toMatchObject({
      id,
      content: 'no such word',
      match_content: '<p>no such word</p>',
      match_subject: `&lt;b&gt; ${mark('lunches')}`,
    })
  })

  test('highlights only text, whatever the text is', async () => {
    const { ben, say } = await place()
    const wild = fc.stringMatching(/^[a-c<>&"'; \n`*/:.]{1,60}$/)
    await fc.assert(
      fc.asyncProperty(wild, async (text) => {
        await say('wild', `needle ${text} https://example.com/needle?a=1&b="needle" needle`)
        const [message] = (await found(ben, [['search', 'needle']])).slice(-1)
        expect(message.match_content).toContain(mark('needle'))
        expect(plain(unmarked(message.match_content))).toBe(plain(message.content))
      }),
      { numRuns: tries(30) },
    )
  })

  const unmarked = (html: string) => html.replace(/<span class="highlight">([^<]*)<\/span>/g, '$1')
  const plain = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
})

test('GET /messages/matches_narrow', async () => {
  const { org, ben, say } = await place()
  const [one, two] = [await say('a & b', 'pineapple'), await say('other', 'pear')]
  const ask = async (who: Person, narrow: unknown) =>
    (await who.get('/messages/matches_narrow', { msg_ids: [one, two, 999_999], narrow })).body.messages
  expect(await ask(ben, [['search', 'pineapples']])).toEqual({
    [one]: {
      match_content: '<p><span class="highlight">pineapple</span></p>',
      match_subject: 'a &amp; b',
    },
  })
  expect(await ask(ben, [['topic', 'other']])).toEqual({
    [two]: { match_content: '<p>pear</p>', match_subject: 'other' },
  })
  expect(await ask(await org.person(), [])).toEqual({})
})

test('narrows mean the same in memory and in the database', async () => {
  const { org, anna, ben, channel, say } = await place()
  const other = await (await place()).say('elsewhere', 'x')
  const sent = [other]
  for (const topic of ['a', 'A', '✔ a', 'ü', 'Ü']) sent.push(await say(topic, 'https://example.com'))
  sent.push(await say('a', `@**${ben.name}** https://example.com/a.png`), await say('b', '@**all**'))
  sent.push((await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'dm' })).body.id)
  await ben.post('/messages/flags', { messages: sent.slice(2, 4), op: 'add', flag: 'starred' })
  await ben.post('/messages/flags', { messages: sent.slice(3, 6), op: 'add', flag: 'read' })
  const read = w.node.app.realms.connections.read
  const shown = (await found(ben, [])) as { id: number; flags: string[] }[]
  const flags = new Map(shown.map((message) => [message.id, message.flags]))
  const rows = await read.rows<MessageRow>(
    sql`SELECT * FROM message m WHERE m.id = ANY(${[...flags.keys()]}::bigint[]) AND realm_id = (
      SELECT realm_id FROM channel WHERE id = ${channel.id})`,
  )
  const recipients = [...new Set(rows.map((row) => row.recipient_id))]
  const one = fc.constantFrom<Condition>(
    ...recipients.map((id): Condition => ({ kind: 'recipient', ids: [id] })),
    ...['a', 'B', 'ü', ''].map((name): Condition => ({ kind: 'topic', name })),
    ...(['link', 'image', 'attachment'] as const).map((what): Condition => ({ kind: 'contains', what })),
    { kind: 'sender', id: anna.id },
    { kind: 'message', id: sent[3]! },
    { kind: 'resolved' },
    { kind: 'flag', userId: ben.id, flag: 'starred' },
    { kind: 'flag', userId: ben.id, flag: 'has_alert_word' },
    { kind: 'mentioned', userId: ben.id },
    {
      kind: 'unread',
      realmId: rows[0]!.realm_id,
      userId: ben.id,
      current: () => ({ recipients, since: recipients.map(() => 0) }),
    },
    { kind: 'direct', recipients: () => [...org.state.conversationsOfUser(ben.id)].map((row) => row.id) },
    { kind: 'none' },
  )
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      one,
      fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
      fc.record({ kind: fc.constant('all' as const), of: fc.array(tie('condition'), { maxLength: 3 }) }),
    ),
  }))
  expect(rows.length).toBeGreaterThan(7)
  await fc.assert(
    fc.asyncProperty(condition, async (condition) => {
      const matches = conditionToPredicate(condition)
      const inMemory = rows.filter((row) => matches(narrowFacts(org.state, row, flags.get(row.id)!)))
      const inDatabase = await read.rows<{ id: number }>(
        sql`SELECT m.id FROM message m WHERE m.realm_id = ${rows[0]!.realm_id} AND ${conditionToSql(condition)}
          AND m.id = ANY(${rows.map((row) => row.id)}::bigint[])`,
      )
      const sorted = (those: { id: number }[]) => those.map((row) => row.id).sort((a, b) => a - b)
      expect(sorted(inDatabase)).toEqual(sorted(inMemory))
    }),
    { numRuns: tries(300) },
  )
})
