import { expect, test } from 'vitest'
import { emptyLookup } from './lookup.ts'
import { render } from './render.ts'

const cases: [source: string, language: string, code: string][] = [
  ['```\nplain\n```', '', 'plain\n'],
  ['```\n<b>&amp;\n```', '', '&lt;b&gt;&amp;amp;\n'],
  ['````\n```\ninner\n```\n````', '', '```\ninner\n```\n'],
  ['    indented code', '', 'indented code\n'],
  ['```\n\n\n  a\n\nb  \n\n```', '', '  a\n\nb  \n'],
  ['```py\nunclosed', 'Python', 'unclosed\n'],
  ['~~~ PY\nx\n~~~', 'Python', 'x\n'],
  ['``` python {hl_lines=1}\nx\n```', 'Python', 'x\n'],
  ['```{.python}\nx\n```', 'Python', 'x\n'],
  ['``` .py\nx\n```', 'Python', 'x\n'],
  ['```python\n\n\n```', 'Python', '\n'],
  ['```console\nx\n```', 'Bash Session', 'x\n'],
  ['```no"such\nx\n```', 'no&quot;such', 'x\n'],
  ['```constructor\nx\n```', 'constructor', 'x\n'],
]

test.each(cases)('%s', (source, language, code) => {
  const attribute = language === '' ? '' : ` data-code-language="${language}"`
  expect(render(source, emptyLookup).html).toBe(
    `<div class="codehilite"${attribute}><pre><span></span><code>${code}</code></pre></div>`,
  )
})

test('an empty block is nothing', () => {
  expect(render('```\n```', emptyLookup).html).toBe('')
})
