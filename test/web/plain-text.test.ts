import { expect, test } from 'vitest'
import { emptyLookup } from '../../src/markdown/lookup.ts'
import { render } from '../../src/markdown/render.ts'
import { plainText } from '../../web/lib/plain-text.ts'

test.each([
  ['a **b** `c < d`', 'a b c < d'],
  ['one\n\n* two\n* three', 'one two three'],
  ['The budget is $$\\frac{n}{k} < c$$, and $$x^2$$ more.', 'The budget is \\frac{n}{k} < c, and x^2 more.'],
  ['```math\nx^2\n```', 'x^2'],
])('the plain text of %j', (source, text) => {
  expect(plainText(render(source, emptyLookup).html)).toBe(text)
})
