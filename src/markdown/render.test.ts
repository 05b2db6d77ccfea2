import { describe, expect, test } from 'vitest'
import { emptyLookup } from './lookup.ts'
import { RenderError, render, renderedVersion, renderInline } from './render.ts'

const html = (source: string) => render(source, emptyLookup).html

const cases: [source: string, html: string][] = [
  ['', ''],
  ['a', '<p>a</p>'],
  ['a\nb', '<p>a<br>\nb</p>'],
  ['a\r\nb', '<p>a<br>\nb</p>'],
  ['a\n\n\n\nb', '<p>a</p>\n<p>b</p>'],
  ['**b** *i* ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>'],
  ['``a ` b``', '<p><code>a ` b</code></p>'],
  ['__b__ _i_ snake_case_name', '<p>__b__ _i_ snake_case_name</p>'],
  ['\\*esc\\*', '<p>\\<em>esc\\</em></p>'],
  ['~~s~', '<p>~~s~</p>'],
  ['<b>html</b> <!-- c -->', '<p>&lt;b&gt;html&lt;/b&gt; &lt;!-- c --&gt;</p>'],
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['## H2', '<h2>H2</h2>'],
  ['H\n---', '<p>H</p>\n<hr>'],
  ['> one', '<blockquote>\n<p>one</p>\n</blockquote>'],
  ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['0. zero\n1. one', '<ol start="0">\n<li>zero</li>\n<li>one</li>\n</ol>'],
  ['/me waves', '<p>/me waves</p>'],
]

test.each(cases)('%s', (source, expected) => {
  expect(html(source)).toBe(expected)
})

test('the columns of a table are aligned', () => {
  expect(html('|l|r|\n|:--|--:|\n|1|2|')).toBe(
    [
      '<table>\n<thead>\n<tr>',
      '<th style="text-align: left;">l</th>\n<th style="text-align: right;">r</th>',
      '</tr>\n</thead>\n<tbody>\n<tr>',
      '<td style="text-align: left;">1</td>\n<td style="text-align: right;">2</td>',
      '</tr>\n</tbody>\n</table>',
    ].join('\n'),
  )
})

test.each([
  ['/me waves', true],
  ['/me **waves**\nand more', true],
  ['/me', false],
  ['/ME waves', false],
  [' /me waves', false],
])('%j is a /me message: %s', (source, expected) => {
  expect(render(source, emptyLookup).facts.isMeMessage).toBe(expected)
})

test('the version tells which renderer made the HTML', () => {
  expect(render('a', emptyLookup).version).toBe(renderedVersion)
})

describe('too much of it', () => {
  test('quotes and lists are kept to a depth that clients use, and no text is lost beyond it', () => {
    expect(html(`${'> '.repeat(30)}deep`).split('<blockquote>')).toHaveLength(31)
    expect(html(`${'- '.repeat(30)}deep`).split('<ul>')).toHaveLength(31)
    const deeper = html(`${'>'.repeat(200)} deep **down**\n\nafter`)
    expect(deeper.split('<blockquote>')).toHaveLength(65)
    expect(deeper).toContain(`<p>${'&gt;'.repeat(136)} deep <strong>down</strong></p>`)
    expect(deeper).toContain('<p>after</p>')
  })

  test('emphasis within emphasis stops at some depth', () => {
    const source = `${'*a **b '.repeat(500)}c${'** *'.repeat(500)}`
    expect(html(source).split('<em>').length + html(source).split('<strong>').length).toBeLessThanOrEqual(42)
    expect(html(source)).toContain('c')
  })

  test('a table with very many empty cells is text', () => {
    const wide = `${'|a'.repeat(2000)}|\n${'|-'.repeat(2000)}|\n${'x\n'.repeat(500)}`
    expect(html(wide)).not.toContain('<table>')
    expect(html(`|a|b|\n|-|-|\n${'|1|2|\n'.repeat(1500)}`).split('<tr>')).toHaveLength(1502)
  })

  test('what can not be rendered is an error', () => {
    const source = '"'.repeat(200_000)
    expect(() => html(source)).toThrow(new RenderError())
  })

  test('a lookup that fails is an error', () => {
    const failing = {
      ...emptyLookup,
      userByName: () => {
        throw new Error('broken')
      },
    }
    expect(() => render('@**x**', failing)).toThrow(RenderError)
  })
})

test.each([
  ['', ''],
  [' \n ', ''],
  ['A **Scandinavian** country', '<p>A <strong>Scandinavian</strong> country</p>'],
  ['two\nlines', '<p>two lines</p>'],
  ['see https://x.org', '<p>see <a href="https://x.org">https://x.org</a></p>'],
  ['# no heading', '<p># no heading</p>'],
  ['- no list', '<p>- no list</p>'],
  ['<b> @**Carol**', '<p>&lt;b&gt; @<strong>Carol</strong></p>'],
])('one line: %j', (source, expected) => {
  expect(renderInline(source)).toBe(expected)
})
