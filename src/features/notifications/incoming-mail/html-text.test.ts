import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { htmlText } from './html-text.ts'
import { incomingMailLimits } from './limits.ts'

const read = (html: string, isReply = false) => htmlText(html, (handler) => new Parser(handler), isReply)

test.each([
  [
    '<p>Hello <b>bold</b> <a href="https://x.org/a">link</a></p><p>next',
    'Hello **bold** [link](https://x.org/a)\n\nnext',
  ],
  ['<div>one</div><div>two<br>three</div>four', 'one\ntwo\nthree\nfour'],
  ['one<br><br><br>two', 'one\n\ntwo'],
  ['a<ul><li>one<li>two<ul><li>three</ul><li>four</ul>b', 'a\n\n* one\n* two\n  * three\n* four\n\nb'],
  ['<ol><li><p>one</p></li><li>two</li></ol>', '1. one\n2. two'],
  ['a<blockquote>one<p>two</p></blockquote>b', 'a\n\n> one\n>\n> two\n\nb'],
  ['<pre>a\n  b &lt;</pre>c', '```\na\n  b <\n```\n\nc'],
  ['<h2>Title</h2>text', '## Title\n\ntext'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  ['<style>p { }</style><script>alert(1)</script><p style="display: none">x</p>y', 'y'],
  ['<b>&nbsp;</b><b>a<br>b</b><i> c </i>d', 'a\nb *c* d'],
  ['<a href="javascript:alert(1)">x</a> <a href="https://x.org/">x.org</a>', 'x x.org'],
  ['<a href="https://x.org/a(b)">[x]</a>', '[(x)](https://x.org/a%28b%29)'],
  ['<img src="https://x.org/track.png"><img alt="A cat">', 'A cat'],
  ['a &amp; b&nbsp;c', 'a & b c'],
  ['<constructor>x</constructor>', 'x'],
])('%s', (html, text) => {
  expect(read(html)).toBe(text)
})

test('a reply is without the earlier mail', () => {
  const own = '<div>Yes.</div>'
  for (const earlier of [
    '<div class="gmail_quote"><div>On Monday, Anna wrote:<br></div><blockquote>Old</blockquote></div>',
    '<div class="moz-cite-prefix">On Monday, Anna wrote:</div><blockquote type="cite">Old</blockquote>',
    '<div id="appendonsend"></div><hr><div>From: Anna</div><div>Old</div>',
    '<div class="gmail_signature">Old</div>',
  ]) {
    expect(read(own + earlier, true)).toBe('Yes.')
    expect(read(own + earlier)).toContain(earlier.includes('Old') ? 'Old' : 'Anna')
  }
})

test('ends where the text is too long or too deep', () => {
  expect(read('<b>word</b> '.repeat(100_000)).length).toBeLessThan(incomingMailLimits.textLength + 100)
  expect(read(`begin${'<div>'.repeat(100_000)}end`)).toBe('begin')
})
