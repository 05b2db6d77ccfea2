import { expect, test } from 'vitest'
import { shownText } from './slack-blocks.ts'

const rich = (...elements: object[]) => ({ type: 'rich_text', elements })
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
const words = (text: string, style?: object) => ({ type: 'text', text, style })
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })

test.each([
  [
    'a paragraph',
    section(words('a < b & '), words(' so it is ', { bold: true })),
    'a &lt; b &amp;  *so it is* ',
  ],
  [
    'what it names',
    section(
      { type: 'user', user_id: 'U1' },
      { type: 'channel', channel_id: 'C1' },
      { type: 'broadcast', range: 'here' },
      { type: 'emoji', name: 'tada' },
      { type: 'link', url: 'https://a.example', text: 'there' },
    ),
    '<@U1><#C1><!here>:tada:<https://a.example|there>',
  ],
  [
    'a list',
    {
      type: 'rich_text_list',
      style: 'bullet',
      indent: 1,
      elements: [section(words('one')), section(words('two'))],
    },
    '    • one\n    • two',
  ],
  [
    'steps',
    { type: 'rich_text_list', style: 'ordered', elements: [section(words('one')), section(words('two'))] },
    '1. one\n2. two',
  ],
  ['a quote', { type: 'rich_text_quote', elements: [words('one\ntwo')] }, '&gt; one\n&gt; two'],
  ['code', { type: 'rich_text_preformatted', elements: [words('a > b')] }, '```a &gt; b```'],
])('%s of a rich text stands for a missing text', (_, part, text) => {
  expect(shownText('', [rich(part)])).toBe(text)
})

test('blocks of apps are shown in place of the text, which is for notifications; a rich text says the same', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Build 7' } },
    { type: 'section', text: mrkdwn('It *failed*'), fields: [mrkdwn('by'), mrkdwn('Ann')] },
    { type: 'divider' },
    { type: 'context', elements: [mrkdwn('main'), { type: 'image', alt_text: 'a face' }, mrkdwn('today')] },
    {
      type: 'actions',
      elements: [{ type: 'button', text: { text: 'Log' }, url: 'https://ci.example/7' }, { type: 'button' }],
    },
    { type: 'image', image_url: 'https://ci.example/7.png', alt_text: 'a curve' },
    { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }, rich(section(words('b')))]] },
  ]
  expect(shownText('Build 7 failed', blocks)).toBe(
    '*Build 7*\nIt *failed*\nby\nAnn\nmain today\n<https://ci.example/7|Log>\n<https://ci.example/7.png|a curve>\na | b',
  )
  expect(shownText('as typed', [rich(section(words('otherwise')))])).toBe('as typed')
  expect(shownText('a call', [{ type: 'call' }])).toBe('a call')
})

test('blocks of no known form are nothing', () => {
  const odd = [
    null,
    7,
    'x',
    [],
    {},
    { type: 'rich_text', elements: 'x' },
    { type: 'section', text: { text: 7 } },
    { type: 'table', rows: [7] },
  ]
  expect(shownText('', odd)).toBe('')
})
