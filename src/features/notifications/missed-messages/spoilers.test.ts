import { expect, test } from 'vitest'
import { withoutSpoilers } from './spoilers.ts'

test.each([
  ['no spoiler at all', 'no spoiler at all'],
  ['a\n```spoiler Who?\nthe butler\n```\nb', 'a\nWho? (hidden)\nb'],
  ['~~~ Spoiler\nthe butler\n~~~', 'Spoiler (hidden)'],
  ['```spoiler\nnever closed', 'Spoiler (hidden)'],
  ['````spoiler x\n```js\ncode\n```\nmore\n````\nafter', 'x (hidden)\nafter'],
  ['```quote\n~~~spoiler x\nhidden\n~~~\nshown\n```', '```quote\nx (hidden)\nshown\n```'],
  ['> ```spoiler x\n> hidden\n> ```\n> shown', 'x (hidden)\n> shown'],
  ['```text\n```spoiler x\nshown\n```', '```text\n```spoiler x\nshown\n```'],
])('%j', (content, expected) => {
  expect(withoutSpoilers(content)).toBe(expected)
})
