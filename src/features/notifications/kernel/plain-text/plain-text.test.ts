import { expect, test } from 'vitest'
import { emptyLookup } from '../../../../markdown/lookup.ts'
import { render } from '../../../../markdown/render.ts'
import { plainText } from './plain-text.ts'

const lookup = { ...emptyLookup, externalContent: (address: string) => `/external/${address}` }
const shown = (content: string) => plainText(render(content, lookup).html)

test.each([
  ['just text', 'just text'],
  ['**b** *i* ~~s~~ `c *d*`', 'b i s c *d*'],
  ['1 < 2 & "3" &copy; &#65; &lt;b&gt;', '1 < 2 & "3" © A <b>'],
  ['a\nb\n\nc', 'a\nb\nc'],
  ['# Title\ntext', 'Title\ntext'],
  ['[the plan](https://example.org/plan) https://example.org', 'the plan https://example.org'],
  ['* a\n* b\n  * c', '• a\n• b\n  • c'],
  ['3. x\n4. y', '3. x\n4. y'],
  ['> q\n> > r\n\nafter', '> q\n> > r\nafter'],
  ['```py\nif x:\n    y = 1\n\nz\n```', 'if x:\n    y = 1\n\nz'],
  ['|a|b|\n|-|-|\n|1|2|', 'a b\n1 2'],
  ['a\n***\nb', 'a\n—\nb'],
  [':smile: :flag_france: 👍', '🙂 🇫🇷 👍'],
  ['$$a<b$$ and $$\\sqrt{2}$$', 'a<b and \\sqrt{2}'],
  ['```spoiler Who **did** it?\nthe butler\n```\nafter', 'Who did it? (hidden)\nafter'],
  ['```spoiler\nthe butler\n```', 'Spoiler (hidden)'],
  ['```spoiler\nthe **$$x$$** :smile:\n```', 'Spoiler (hidden)'],
  ['````quote\n```spoiler x\nthe butler\n```\n````', '> x (hidden)'],
  ['see [the map](https://example.org/a.png)', 'see the map'],
  ['https://example.org/a.png', 'https://example.org/a.png'],
  ['[My *answer*.webm](/user_uploads/1/ab/my.webm)', 'My *answer*.webm'],
  ['> [a.webm](/user_uploads/1/ab/a.webm)\n\nnice', '> a.webm\nnice'],
  ['<time:2024-06-05T14:30:00+02:00>', '2024-06-05T14:30:00+02:00'],
  ['', ''],
])('%j is shown as %j', (content, text) => {
  expect(shown(content)).toBe(text)
})

test('a custom emoji is shown by its name', () => {
  const html = '<p>well <img alt=":parrot:" class="emoji" src="/x.png" title="parrot"> done</p>'
  expect(plainText(html)).toBe('well :parrot: done')
})

test('truncates a long text between characters in every structure', () => {
  expect(plainText(`<p>${'👍'.repeat(300)}</p>`, 240)).toBe(`${'👍'.repeat(240)}…`)
  expect(plainText(`<p>${'x'.repeat(240)}</p>`, 240)).toBe('x'.repeat(240))
  expect(shown('ab **c** '.repeat(100))).toBe(`${'ab c '.repeat(48)}…`)
})

test('previews of linked pages are left out', () => {
  const embed =
    '<div class="message_embed"><div class="data-container"><div class="message_embed_title">Rooks</div></div></div>'
  expect(plainText(`<p>look</p>\n${embed}`)).toBe('look')
})
