import { expect, test } from 'vitest'
import { emptyLookup } from '../lookup.ts'
import { render } from '../render.ts'

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

const far = [
  ...[
    '\\hspace{-99999em}x',
    '\\hspace*{-9em}',
    'x\\kern-20pt',
    '\\mkern-99mu x',
    '\\mskip-99mu',
    '\\hskip-3cm x',
  ],
  ...['\\rule{-9em}{1em}', '\\rule[-99999em]{1em}{1em}', '\\raisebox{-99999em}{x}', '\\raisebox{-60em}{x}'],
  ...['\\llap{not a short text}', '\\mathllap{xxxxxxxxx}', '\\rlap{xxxxxxxxxxxxx}', '\\clap{xxxxxxxxxxxx}'],
  ...[
    '\\smash{\\rule{1em}{40em}}',
    '\\smash[b]{\\raisebox{-9em}{x}}',
    '\\begin{matrix}a\\\\[-9em]b\\end{matrix}',
  ],
  ...['\\smash{\\begin{matrix}a\\\\a\\\\a\\\\a\\\\a\\end{matrix}}', 'a\\\\[-9em]b', '{a\\above{-99999em}b}'],
  ...['\\def\\arraystretch{999}\\begin{matrix}a\\\\b\\end{matrix}', '\\Huge\\kern-1em', 'x_{\\kern-9em y}'],
  ...[
    '\\frac{xxxxxxxxxxxxxx}{\\kern-9em x}',
    '\\phantom{\\kern-9em}',
    '{}^{\\hspace{-9cm}x}',
    '\\sqrt[\\kern-9em]{x}',
  ],
  ...[
    '\\def\\a{-9em}\\kern\\a',
    '\\!'.repeat(30),
    `${'\u200b'.repeat(90)}\\kern-9em`,
    '\\genfrac(){-99em}{0}{a}{b}',
  ],
]

test.each(far)('what would be drawn over the text around is shown as it was written: %s', (tex) => {
  for (const source of [`$$${tex}$$`, `\`\`\`math\n${tex}\n\`\`\``]) {
    expect(html(source)).toContain('<span class="tex-error">')
    expect(html(source)).not.toContain('katex')
  }
})

test.each([
  '\\int\\!\\!\\int f\\,dx \\ne 0',
  '\\LaTeX\\ \\TeX\\ \\KaTeX',
  '\\smash{\\frac{a}{b}}\\mathrlap{/}x\\llap{ab}',
  'x\\hspace{-0.5em}y\\quad\\hspace{2cm}\\raisebox{1em}{x}\\rule{3em}{1pt}',
  '\\begin{aligned}a&=b\\\\[1em]&=c\\end{aligned}',
])('sizes that formulas need are left to them: %s', (tex) => {
  expect(html(`$$${tex}$$`)).toMatch(/^<p><span class="katex">/)
})

test('many small steps do not add up to a large one', () => {
  const many = html('$$\\kern-0.9em$$ '.repeat(30))
  expect(many.split('class="katex"').length).toBeLessThan(9)
})

test.each([
  '\\text{😀}',
  '漢字\u2028\u0085',
  '\\message{printed} x',
  '\\errmessage{printed} x',
  '\\show\\frac x',
  '\\text{\ud800}\\unknown',
  'a\\\\b % printed',
])('nothing of a formula reaches the console: %j', (tex) => {
  const printed: unknown[] = []
  const { console } = globalThis
  globalThis.console = new Proxy(console, {
    get:
      () =>
      (...words: unknown[]) =>
        printed.push(words),
  })
  try {
    render(`$$${tex}$$\n\`\`\`math\n${tex}\n\`\`\``, emptyLookup)
  } finally {
    globalThis.console = console
  }
  expect(printed).toEqual([])
})
