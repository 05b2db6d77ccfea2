import { expect, test } from 'vitest'
import { emptyLookup } from '../../../src/markdown/lookup.ts'
import { render } from '../../../src/markdown/render.ts'
import { plainText } from '../../../web/lib/plain-text.ts'

const lookup = { ...emptyLookup, externalContent: (address: string) => `/external/${address}` }

test.each([
  ['a **b** `c < d`', 'a b c < d'],
  ['one\n\n* two\n* three', 'one two three'],
  ['The budget is $$\\frac{n}{k} < c$$, and $$x^2$$ more.', 'The budget is \\frac{n}{k} < c, and x^2 more.'],
  ['```math\nx^2\n```', 'x^2'],
  ['```spoiler Who did it?\nThe **butler**, $$x^2$$ :smile:\n```\nafter', 'Who did it? … after'],
  ['````spoiler\na\n```spoiler b\nc\n```\nd\n````', '…'],
  [':smile: 👍', '🙂 👍'],
  ['[](https://example.org/map.png)', 'map.png'],
  ['Listen: [My answer.webm](/user_uploads/1/ab/my.webm)', 'Listen: My answer.webm'],
])('the plain text of %j', (source, text) => {
  expect(plainText(render(source, lookup).html)).toBe(text)
})

test('a time is shown as the reader wants it', () => {
  const { html } = render('from <time:2031-01-01T09:30:00Z>, **or so**', lookup)
  const year = (seconds: number) => String(new Date(seconds * 1000).getUTCFullYear())
  expect(plainText(html, year)).toBe('from 2031, or so')
  expect(plainText(html)).toBe('from 2031-01-01T09:30:00Z, or so')
})

test('a custom emoji is shown by its name', () => {
  const html = '<p><img alt=":parrot:" class="emoji" src="/x.png" title="parrot"></p>'
  expect(plainText(html)).toBe(':parrot:')
})
