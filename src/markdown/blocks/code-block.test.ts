import { expect, test } from 'vitest'
import { emptyLookup } from '../lookup.ts'
import { render } from '../render.ts'

const html = (source: string, lookup = emptyLookup) => render(source, lookup).html

function block(code: string, language?: string) {
  const data = language === undefined ? '' : ` data-code-language="${language}"`
  return `<div class="codehilite"${data}><pre><span></span><code>${code}</code></pre></div>`
}

const x = '<span class="n">x</span>'

const cases: [source: string, html: string][] = [
  ['```\nplain\n```', block('plain\n')],
  ['```\n<b>&amp;\n```', block('&lt;b&gt;&amp;amp;\n')],
  ['````\n```\ninner\n```\n````', block('```\ninner\n```\n')],
  ['    indented code\n\n      more', block('indented code\n\n  more\n')],
  ['```\n\n\n  a\n\nb  \n\n```', block('  a\n\nb\n')],
  ['```py\nx', block(`${x}\n`, 'Python')],
  ['~~~ PY\nx\n~~~', block(`${x}\n`, 'Python')],
  ['``` python {hl_lines=1}\nx\n```', block(`${x}\n`, 'Python')],
  ['```{.python}\nx\n```', block(`${x}\n`, 'Python')],
  ['``` .py\nx\n```', block(`${x}\n`, 'Python')],
  ['```python\n\n\n```', block('\n', 'Python')],
  ['```PHP\n$x', block('<span class="nv">$x</span>\n', 'PHP')],
  ['```py2\nprint x', block('<span class="k">print</span> <span class="n">x</span>\n', 'Python 2.x')],
  ['```\n#!python\nx\n```', block(`<span class="ch">#!python</span>\n${x}\n`)],
  ['```\n:::python\n\nx\n```', block(`<span class="p">:::</span><span class="n">python</span>\n\n${x}\n`)],
  ['    #!python\n    x', block(`<span class="ch">#!python</span>\n${x}\n`)],
  ['```\n::d\n```', block('<span class="p">::</span><span class="n">d</span>\n')],
  ['```\n#!/usr/bin/python\nx\n```', block(`<span class="ch">#!/usr/bin/python</span>\n${x}\n`)],
  ['```\n#!/usr/bin/env python3\nx\n```', block(`<span class="ch">#!/usr/bin/env python3</span>\n${x}\n`)],
  ['```\n#!nosuch\nx\n```', block('#!nosuch\nx\n')],
  ['```text\n#!python\nx\n```', block('#!python\nx\n', 'Text only')],
  ['```console\nx\n```', block('<span class="go">x</span>\n', 'Bash Session')],
  ['```no"such\nx\n```', block('x\n', 'no')],
  ['```constructor\nx\n```', block('x\n', 'constructor')],
  ['a\n```\nb\n```\nc', `<p>a</p>\n${block('b\n')}\n<p>c</p>`],
  ['```\n```', block('\n')],
  ['a\n```\n\n```\nb', `<p>a</p>\n${block('\n')}\n<p>b</p>`],
  ['```', '<p>```</p>'],
  ['a\n```py', '<p>a<br>\n```py</p>'],
  ['```\nunclosed', block('unclosed\n')],
  ['```quote\n```', '<p>```quote\n```</p>'],
  ['~~~ math\n\n~~~', '<p>~~~ math\n~~~</p>'],
  ['````quote\n```', '<blockquote>\n<p>```</p>\n</blockquote>'],
  ['    \n\na', '<p>a</p>'],
  ['- item\n  ```py\n  x=1\n  ```', '<ul>\n<li>item<br>\n  <code>py\n  x=1\n  </code></li>\n</ul>'],
  ['``` Python3 ```', '<p><code> Python3 </code></p>'],
]

test.each(cases)('%s', (source, expected) => {
  expect(html(source)).toBe(expected)
})

test('an organization may choose the language of blocks that name none', () => {
  const lookup = { ...emptyLookup, defaultCodeLanguage: 'python' }
  expect(html('```\nx\n```', lookup)).toBe(block(`${x}\n`, 'Python'))
  expect(html('```text\nx\n```', lookup)).toBe(block('x\n', 'Text only'))
})

test('blocks within quotes, spoilers and each other end where their fence does', () => {
  expect(html('````quote\n```quote\na\n```\nb\n````\nc')).toBe(
    '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>\n<p>c</p>',
  )
  expect(html('````spoiler **t**\n```py\nx\n```\n````').replace(/>\n+/g, '>')).toBe(
    '<div class="spoiler-block"><div class="spoiler-header"><p><strong>t</strong></p></div>' +
      '<div class="spoiler-content" aria-hidden="true">' +
      `${block(`${x}\n`, 'Python').replace(/>\n/, '>')}</div></div>`,
  )
  expect(html('```spoiler\n- a\n```').replace(/>\n+/g, '>')).toBe(
    '<div class="spoiler-block"><div class="spoiler-header"></div>' +
      '<div class="spoiler-content" aria-hidden="true"><ul><li>a</li></ul></div></div>',
  )
  expect(html('```quote\n```py\nx\n```\n```')).toBe(
    `<blockquote>\n<p>${block(`${x}\n`, 'Python')}<br>\n</p>\n</blockquote>`,
  )
})

test('fences within very many fences are text', () => {
  const source = Array.from({ length: 40 }, (_, depth) => `${'`'.repeat(50 - depth)}quote`).join('\n')
  expect(html(source).split('<blockquote>')).toHaveLength(13)
})
