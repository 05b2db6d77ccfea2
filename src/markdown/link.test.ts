import { describe, expect, test } from 'vitest'
import { emptyLookup } from './lookup.ts'
import { render } from './render.ts'

const lookup = { ...emptyLookup, realmUrl: 'https://chat.example' }

const html: [source: string, paragraph: string][] = [
  ['[text](https://example.com)', '<a href="https://example.com">text</a>'],
  ['[text](https://example.com "title")', '<a href="https://example.com" title="title">text</a>'],
  ['[x](mailto:a@b.co)', '<a href="mailto:a@b.co">x</a>'],
  ['[x](/user_uploads/1/a.txt)', '<a href="/user_uploads/1/a.txt">x</a>'],
  ['[x](#narrow/is/dm)', '<a href="#narrow/is/dm">x</a>'],
  ['[a](<https://x.org/a b>)', '<a href="https://x.org/a%20b">a</a>'],
  ['[x](https://x.org/"onclick="y)', '<a href="https://x.org/%22onclick=%22y">x</a>'],

  ['https://example.com', '<a href="https://example.com">https://example.com</a>'],
  ['https://example.com, so', '<a href="https://example.com">https://example.com</a>, so'],
  ['(https://example.com/a_(b))', '(<a href="https://example.com/a_(b)">https://example.com/a_(b)</a>)'],
  ['http://x.org/?q=1&r=2#f', '<a href="http://x.org/?q=1&amp;r=2#f">http://x.org/?q=1&amp;r=2#f</a>'],
  ['https://me:pw@x.org/', '<a href="https://me:pw@x.org/">https://me:pw@x.org/</a>'],
  ['<https://example.com>', '&lt;<a href="https://example.com">https://example.com</a>&gt;'],
  ['a@b.co', '<a href="mailto:a@b.co">a@b.co</a>'],
  ['example.com foo.py 1.no www.x.org', 'example.com foo.py 1.no www.x.org'],
  ['ftp://x.org/a tel:+431 zulip://x //x.org', 'ftp://x.org/a tel:+431 zulip://x //x.org'],

  ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ['[x](JaVaScRiPt:a)', '[x](JaVaScRiPt:a)'],
  ['[x](<java\tscript:a>)', '<a href="java%09script:a">x</a>'],
  ['[x](&#106;avascript:a)', '[x](javascript:a)'],
  ['[x](data:text/html,a)', '[x](data:text/html,a)'],
  ['[x](data:image/png;base64,a)', '[x](data:image/png;base64,a)'],
  ['[x](vbscript:a)', '[x](vbscript:a)'],
  ['[x](file:///etc/passwd)', '[x](file:///etc/passwd)'],

  ['![alt](https://x.org/a.png)', '!<a href="https://x.org/a.png">alt</a>'],
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
  const none = { hasLink: false, hasImage: false, hasAttachment: false, uploadPaths: [], links: [] }
  const png = 'https://x.org/A.PNG?size=2#top'
  const cases: [source: string, facts: Record<string, unknown>][] = [
    ['example.com and `https://x.org`', {}],
    ['[x](javascript:a)', {}],
    ['a@b.co', { hasLink: true }],
    ['[x](#narrow)', { hasLink: true }],
    [
      'https://b.org https://a.org https://b.org',
      { hasLink: true, links: ['https://b.org', 'https://a.org'] },
    ],
    [png, { hasLink: true, hasImage: true, links: [png] }],
    ['![alt](https://x.org/a.gif)', { hasLink: true, hasImage: true, links: ['https://x.org/a.gif'] }],
    ['https://x.org/?a.png', { hasLink: true, links: ['https://x.org/?a.png'] }],
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
        links: ['https://chat.example/user_uploads/2/ab/na%C3%AFve.jpg'],
      },
    ],
    ['[f](/user_uploads/%E0%A4%A)', { hasLink: true, hasAttachment: true, uploadPaths: ['%E0%A4%25A'] }],
    [
      'https://evil.example/user_uploads/2/a.txt',
      { hasLink: true, links: ['https://evil.example/user_uploads/2/a.txt'] },
    ],
  ]

  test.each(cases)('%s', (source, facts) => {
    expect(render(source, lookup).facts).toMatchObject({ ...none, ...facts })
  })
})
