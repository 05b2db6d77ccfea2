import { expect, test } from 'vitest'
import { emptyLookup } from './lookup.ts'
import { render } from './render.ts'

const html = (source: string) => render(source, emptyLookup).html

test('a formula in a line is set by KaTeX', () => {
  expect(html('a $$x^2$$ b')).toMatch(
    /^<p>a <span class="katex"><span class="katex-mathml"><math .*<annotation encoding="application\/x-tex">x\^2<\/annotation>.*<\/span> b<\/p>$/,
  )
})

test('a block of formulas is displayed one by one', () => {
  const displayed =
    /^<p><span class="katex-display"><span class="katex">.*<\/p>\n<p><span class="katex-display">.*<\/p>$/s
  expect(html('```math\nx\n\n\\frac{a}{b}\n\n```')).toMatch(displayed)
})

test.each([
  ['$$bad \\frac{$$', '<p><span class="tex-error">$$bad \\frac{$$</span></p>'],
  ['```math\n\\nosuch <b>\n```', '<p><span class="tex-error">\\nosuch &lt;b&gt;</span></p>'],
  ['cost $$5 and $$6', '<p>cost $$5 and $$6</p>'],
  ['a$$x$$ $x$ $$$x$$$', '<p>a$$x$$ $x$ $$$x$$$</p>'],
  ['`$$x$$`', '<p><code>$$x$$</code></p>'],
])('%s', (source, expected) => {
  expect(html(source)).toBe(expected)
})

test('formulas neither link nor load nor take more than their share', () => {
  for (const tex of [
    '\\href{javascript:a}{x}',
    '\\url{https://x.org}',
    '\\includegraphics{https://x.org/a}',
  ]) {
    expect(html(`$$${tex}$$`)).not.toMatch(/<a |<img|href=|src=/)
  }
  expect(html('$$\\rule{99999em}{99999em}$$')).not.toContain('99999em;')
  const many = html('$$x$$ '.repeat(500))
  expect(many.split('class="katex"').length).toBeLessThan(100)
  expect(many).toContain('<span class="tex-error">$$x$$</span>')
})
