import { describe, expect, test } from 'vitest'
import { emptyLookup } from '../lookup.ts'
import { render } from '../render.ts'

const lookup = { ...emptyLookup, realmUrl: 'https://chat.example' }

const html: [source: string, paragraph: string][] = [
  ['[text](https://example.com)', '<a href="https://example.com">text</a>'],
  ['[text](https://example.com "a title")', '<a href="https://example.com" title="a title">text</a>'],
  [
    "[text](https://example.com/a_(b) 'a (title')",
    '<a href="https://example.com/a_(b)" title="a (title">text</a>',
  ],
  ['[a [b] c](https://x.org)', '<a href="https://x.org">a [b] c</a>'],
  ['[**b** `c`](https://x.org)', '<a href="https://x.org">**b** <code>c</code></a>'],
  ['[a &#42;b&#42; &amp; c](https://x.org)', '<a href="https://x.org">a &#42;b&#42; &amp; c</a>'],
  [
    '[`&amp;` & &lt;b&gt;](https://x.org)',
    '<a href="https://x.org"><code>&amp;amp;</code> &amp; &lt;b&gt;</a>',
  ],
  ['[](https://x.org)', '<a href="https://x.org">https://x.org</a>'],
  ['[x]()', '<a href="http://">x</a>'],
  ['[x](me@x.org)', '<a href="mailto:me@x.org">x</a>'],
  ['[x](//x.org)', '<a href="http://x.org">x</a>'],
  ['[x](ftp://x.org)', '<a href="ftp://x.org">x</a>'],
  ['[x](tel:+431)', '<a href="tel:+431">x</a>'],
  ['[x](SMS:+431?body=a)', '<a href="sms:+431?body=a">x</a>'],
  ['[x](https://x.org', '[x](<a href="https://x.org">https://x.org</a>'],
  ['[x](mailto:a@b.co)', '<a href="mailto:a@b.co">x</a>'],
  ['[x](/user_uploads/1/a.txt)', '<a href="/user_uploads/1/a.txt">x</a>'],
  ['[x](#narrow/is/dm)', '<a href="#narrow/is/dm">x</a>'],
  ['[a](<https://x.org/a b>)', '<a href="https://x.org/a%20b">a</a>'],
  ['[x](https://x.org/"onclick="y)', '<a href="https://x.org/&quot;onclick=&quot;y">x</a>'],

  ['https://example.com', '<a href="https://example.com">https://example.com</a>'],
  ['https://example.com, so', '<a href="https://example.com">https://example.com</a>, so'],
  ['(https://example.com/a_(b))', '(<a href="https://example.com/a_(b)">https://example.com/a_(b)</a>)'],
  ['http://x.org/?q=1&r=2#f', '<a href="http://x.org/?q=1&amp;r=2#f">http://x.org/?q=1&amp;r=2#f</a>'],
  ['https://me:pw@x.org/', '<a href="https://me:pw@x.org/">https://me:pw@x.org/</a>'],
  ['<https://example.com>', '&lt;<a href="https://example.com">https://example.com</a>&gt;'],
  ['a@b.co', '<a href="mailto:a@b.co">a@b.co</a>'],
  ['1.no foo.py foo.bar.baz', '<a href="http://1.no">1.no</a> foo.py foo.bar.baz'],
  [
    'example.com/a?b, "x.org".',
    '<a href="http://example.com/a?b">example.com/a?b</a>, &quot;<a href="http://x.org">x.org</a>&quot;.',
  ],
  ['https://x.org/a(b x*x.org https://x.org/"a', 'https://x.org/a(b x*x.org https://x.org/&quot;a'],
  ['https://münchen.de/ü_(b_(c))', '<a href="https://münchen.de/ü_(b_(c))">https://münchen.de/ü_(b_(c))</a>'],
  ['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM'],
  ['ftp://x.org/a tel:+431 zulip://x //x.org', 'ftp://x.org/a tel:+431 zulip://x //x.org'],

  ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ['[x](JaVaScRiPt:a)', '[x](JaVaScRiPt:a)'],
  ['[x](<java\tscript:a>)', '<a href="http://java%20%20%20script:a">x</a>'],
  ['[x](java\u0001script:a)', '[x](java\u0001script:a)'],
  ['[x](&#106;avascript:a)', '<a href="http://&amp;#106;avascript:a">x</a>'],
  ['[x](data:text/html,a)', '[x](data:text/html,a)'],
  ['[x](data:image/png;base64,a)', '[x](data:image/png;base64,a)'],
  ['[x](vbscript:a)', '[x](vbscript:a)'],
  ['[x](file:///etc/passwd)', '[x](file:///etc/passwd)'],

  ['![alt](https://x.org/a.png)', '![alt](<a href="https://x.org/a.png">https://x.org/a.png</a>)'],
  ['![x](x" onerror="y)', '![x](x&quot; onerror=&quot;y)'],
  ['[ref][1]', '[ref][1]'],

  [
    'https://chat.example/#narrow/channel/4-a',
    '<a href="#narrow/channel/4-a">https://chat.example/#narrow/channel/4-a</a>',
  ],
  ['[named](https://chat.example/#settings)', '<a href="#settings">named</a>'],
  ['[other](https://chat.example.org/#settings)', '<a href="https://chat.example.org/#settings">other</a>'],
]

test.each(html)('%s', (source, paragraph) => {
  expect(render(source, lookup).html).toBe(`<p>${paragraph}</p>`)
})

describe('facts', () => {
  const none = { hasLink: false, hasImage: false, hasAttachment: false, uploadPaths: [] }
  const png = 'https://x.org/A.PNG?size=2#top'
  const cases: [source: string, facts: Record<string, unknown>][] = [
    ['`https://x.org` foo.py', {}],
    ['example.com', { hasLink: true }],
    ['[x](javascript:a)', {}],
    ['a@b.co', { hasLink: true }],
    ['[x](#narrow)', { hasLink: true }],
    ['https://b.org https://a.org https://b.org', { hasLink: true }],
    [png, { hasLink: true, hasImage: true }],
    ['![alt](https://x.org/a.gif)', { hasLink: true, hasImage: true }],
    ['https://x.org/?a.png', { hasLink: true }],
    [
      '[f](/user_uploads/2/ab/my%20file.txt) [f](/user_uploads/2/ab/my%20file.txt?x)',
      { hasLink: true, hasAttachment: true, uploadPaths: ['2/ab/my file.txt'] },
    ],
    [
      'https://chat.example/user_uploads/2/ab/naïve.jpg',
      {
        hasLink: true,
        hasImage: true,
        hasAttachment: true,
        uploadPaths: ['2/ab/naïve.jpg'],
      },
    ],
    ['[f](/user_uploads/%E0%A4%A)', { hasLink: true, hasAttachment: true, uploadPaths: ['%E0%A4%A'] }],
    ['https://evil.example/user_uploads/2/a.txt', { hasLink: true }],
  ]

  test.each(cases)('%s', (source, facts) => {
    expect(render(source, lookup).facts).toMatchObject({ ...none, ...facts })
  })
})
