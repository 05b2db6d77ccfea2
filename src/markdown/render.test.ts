import { describe, expect, test } from 'vitest'
import { emptyLookup } from './lookup.ts'
import { render, renderDescription, renderedVersion } from './render.ts'

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
  ['- a\n  - b\n    - c', '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n</ul>'],
  ['- a\n\n  para\n- b', '<ul>\n<li>\n<p>a</p>\n<p>para</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
  ['1. a\n   1. b\n2. c', '<ol>\n<li>a<ol>\n<li>b</li>\n</ol>\n</li>\n<li>c</li>\n</ol>'],
  ['text\n- a\ntext', '<p>text</p>\n<ul>\n<li>a<br>\ntext</li>\n</ul>'],
  ['* a\n  1. b', '<ul>\n<li>\n<p>a</p>\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>'],
  ['1. a\n- b\n- c', '<ol>\n<li>a</li>\n</ol>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>'],
  ['- a\n1. b\n- c', '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>\n<ul>\n<li>c</li>\n</ul>'],
  ['2. a\n\n* b', '<ol start="2">\n<li>a</li>\n</ol>\n<ul>\n<li>b</li>\n</ul>'],
  ['- a\n10. b', '<ul>\n<li>a<br>\n10. b</li>\n</ul>'],
  [
    '- a\n  1. b\n  - c',
    '<ul>\n<li>\n<p>a</p>\n<ol>\n<li>b</li>\n</ol>\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>',
  ],
  ['* a\u2028b\n* c\u2029', '<ul>\n<li>a\u2028b</li>\n<li>c\u2029</li>\n</ul>'],
  ['1) a\n-no', '<p>1) a<br>\n-no</p>'],
  ['> a\n\n> b', '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>'],
  ['text\n> # h\nmore', '<p>text</p>\n<blockquote>\n<h1>h</h1>\n<p>more</p>\n</blockquote>'],
  ['>', '<p>&gt;</p>'],
  ['## a ##\nb', '<h2>a</h2>\n<p>b</p>'],
  ['#no ####### no', '<p>#no ####### no</p>'],
  ['a\n* * *\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
  ['`a ``b`` c` ```d`', '<p><code>a ``b`` c</code> <code>``d</code></p>'],
  ['***b*** **a*b**c* *a^b*', '<p><strong><em>b</em></strong> <strong>a*b</strong>c* *a^b*</p>'],
  ['*a\nb* ~~~c~~~', '<p>*a<br>\nb* ~~~c~~~</p>'],
  ['tab\there', '<p>tab here</p>'],
  ['&lt; &copy; & &nosuch', '<p>&lt; &copy; &amp; &amp;nosuch</p>'],
  ['\u0002a\u0003', '<p>a</p>'],
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
    expect(deeper.split('<blockquote>')).toHaveLength(66)
    expect(deeper).toContain(`<p>${'&gt;'.repeat(135)} deep <strong>down</strong></p>`)
    expect(deeper).toContain('<p>after</p>')
  })

  test('a table with very many empty cells is text', () => {
    const wide = `${'|a'.repeat(2000)}|\n${'|-'.repeat(2000)}|\n${'x\n'.repeat(500)}`
    expect(html(wide)).not.toContain('<table>')
    expect(html(`|a|b|\n|-|-|\n${'|1|2|\n'.repeat(900)}`).split('<tr>')).toHaveLength(902)
  })

  test('what would become too long is shown as it was written', () => {
    for (const many of ['😵‍💫'.repeat(3_333), '😀'.repeat(10_000)])
      expect(html(many) === `<p>${many}</p>`).toBe(true)
    expect(html('😀'.repeat(2_500)).split('</span>')).toHaveLength(2_501)
    expect(html(`\`\`\`js\n${'a=1;'.repeat(2_490)}\n\`\`\``).split('class="o"')).toHaveLength(2_491)
    const more = '🫰'.repeat(9_990)
    expect(html(`🫰\n**b**${more}`) === `<p>🫰<br>\n**b**${more}</p>`).toBe(true)
  })
})

test.each([
  ['', ''],
  [' \n ', ''],
  ['\u0002', '<p>\u0002</p>'],
  ['A **Scandinavian** country', '<p>A <strong>Scandinavian</strong> country</p>'],
  ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>'],
  ['https://x.org/a.png', '<p><a href="https://x.org/a.png">https://x.org/a.png</a></p>'],
  ['<b> @**Carol**', '<p>&lt;b&gt; <span class="user-mention" data-user-id="7">@Carol</span></p>'],
  ['#**design**', '<p><a class="stream" data-stream-id="9" href="/#narrow/channel/9-design">#design</a></p>'],
])('a description: %j', (source, expected) => {
  const lookup = {
    ...emptyLookup,
    userByName: (name: string) => ({ id: 7, name }),
    channelByName: (name: string) => ({ id: 9, name }),
    externalContent: (address: string) => `/external/${address}`,
  }
  expect(renderDescription(source, lookup)).toBe(expected)
})
