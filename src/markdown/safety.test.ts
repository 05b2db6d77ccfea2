import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5'
import { expect, test } from 'vitest'
import { tries } from '../../test/runner/effort.ts'
import type { Lookup } from './lookup.ts'
import { render, renderDescription } from './render.ts'

const lookup: Lookup = {
  userByName: (name) => (name.length % 2 === 0 ? { id: 7, name: `${name}<img>"` } : undefined),
  userById: (id) => ({ id, name: 'a"><script>' }),
  channelByName: (name) => (name.length % 2 === 1 ? { id: 9, name: `${name}">&` } : undefined),
  groupByName: (name) => ({ id: 5, name: `${name}&<` }),
  realmUrl: 'https://chat.example',
  newestInTopic: (_, topic) => topic.length || undefined,
  emptyTopicName: '<empty>',
  linkifiers: [
    { pattern: '#(?P<id>[^ ]{1,9})', url_template: 'https://x.org/{+id}' },
    { pattern: '!(?P<id>[^ ]+)', url_template: '{+id}' },
  ],
  customEmoji: (name) => (name === 'x' ? '/emoji/"<x>.png' : undefined),
  translateEmoticons: true,
  picture: () => ({ contentType: 'image/"<png>', width: 1, height: 2 }),
  externalContent: (address) => `/external/${address}`,
}

const image = { src: /^\//, class: /^(emoji|image-loading-placeholder)$/, alt: /^:/, title: /^/ }
const known = { 'data-original-content-type': /^/, 'data-original-dimensions': /^\d+x\d+$/ }
/** KaTeX has many classes. Its styles are lengths and colors. */
const setByKatex = { class: /^[\w -]*$/, style: /^(?:[a-z-]+:[\w.#% -]+;)*$/, 'aria-hidden': /^true$/ }

/** Every element that messages may have, its attributes, and what those may say. */
const allowed: Record<string, Record<string, RegExp>> = {
  a: {
    href: /^/,
    title: /^/,
    class: /^(stream|stream-topic|message-link)$/,
    'data-stream-id': /^\d+$/,
    'data-id': /^[\w-]{11}$/,
  },
  audio: { controls: /^$/, preload: /^metadata$/, src: /^\/user_uploads\//, title: /^/ },
  div: {
    class:
      /^(codehilite|spoiler-(block|header|content)|(youtube-video )?message_inline_image( message_inline_video)?)$/,
    'data-code-language': /^/,
    'aria-hidden': /^true$/,
  },
  img: { ...image, ...known },
  ol: { start: /^\d+$/ },
  span: {
    'data-user-id': /^(\d+|\*)$/,
    'data-user-group-id': /^\d+$/,
    'aria-label': /^/,
    role: /^img$/,
    title: /^/,
    ...setByKatex,
  },
  td: { style: /^text-align: (left|center|right);$/ },
  th: { style: /^text-align: (left|center|right);$/ },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/ },
  video: { preload: /^metadata$/, src: /^\// },
  annotation: { encoding: /^application\/x-tex$/ },
  svg: { ...setByKatex, xmlns: /^/, width: /^/, height: /^/, viewBox: /^/, preserveAspectRatio: /^/ },
  path: { d: /^[\w\s.,-]*$/ },
  ...Object.fromEntries(
    'math semantics mrow mi mo mn msup msub msubsup mfrac msqrt mroot mtext mspace mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose merror'
      .split(' ')
      .map((name) => [name, mathAttributes()]),
  ),
  ...Object.fromEntries(
    'p br hr h1 h2 h3 h4 h5 h6 blockquote ul li pre code strong em del table thead tbody tr'
      .split(' ')
      .map((name) => [name, {}]),
  ),
}

function mathAttributes(): Record<string, RegExp> {
  const names =
    'xmlns display class mathvariant stretchy fence separator form lspace rspace width height depth voffset accent accentunder linethickness displaystyle scriptlevel columnalign columnspacing rowspacing columnlines rowlines mathcolor mathbackground mathsize notation minsize maxsize movablelimits largeop symmetric style linebreak'
  return Object.fromEntries(names.split(' ').map((name) => [name, /^[\w\s.:#/%;-]*$/]))
}

const atoms = fc.constantFrom(
  ...[
    '*',
    '**',
    '~~',
    '_',
    '`',
    '```',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '# ',
    '|',
    '|-|',
    '    ',
    ' ',
    '\\',
    '!',
  ],
  ...[
    '[',
    ']',
    '(',
    ')',
    '](',
    '<',
    '>',
    '"',
    "'",
    '&',
    '&#',
    ';',
    ':',
    '/',
    '@',
    '@**',
    '@_**',
    '@*',
    '|7**',
  ],
  ...[
    'https://',
    'x.org',
    'javascript:',
    'data:',
    '&#106;',
    'mailto:',
    'a@b.co',
    '/user_uploads/1/a.png',
    '/user_uploads/a.mp3',
    'https://x.org/a.png',
    'https://youtu.be/dQw4w9WgXcQ',
    '#**',
    '>t',
    '@5**',
    ':x:',
    ':smile:',
    '😀',
    ':)',
    '$$',
    '\\frac{a}{b}',
    '\\href{javascript:a}{b}',
    '\\color{red}',
    '```math\n',
    '```quote\n',
    '```spoiler a\n',
    '```html\n',
    '```py\n',
    '~~~\n',
    '<time:',
    '2024-01-01>',
    '#"onx',
    '!javascript:a',
    '\u0002',
    '\u0003',
    '<script>',
    ' onclick=',
    '\u0000',
  ],
)
const sources = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.oneof({ weight: 4, arbitrary: atoms }, fc.string({ maxLength: 5 })), { maxLength: 60 })
    .map((parts) => parts.join('')),
)

test('whatever is written, the HTML has only what is allowed', () => {
  fc.assert(
    fc.property(sources, (source) => check(render(source, lookup).html)),
    { numRuns: tries(30_000) },
  )
  fc.assert(
    fc.property(sources, (source) => check(renderDescription(source, lookup))),
    { numRuns: tries(8_000) },
  )
}, 240_000)

test.each(collection())('nothing runs of %j', (source) => {
  for (const text of [
    source,
    `[a](${source})`,
    `\`\`\`spoiler ${source}\n${source}\n\`\`\``,
    `$$${source}$$`,
    `#**a>${source}**`,
  ]) {
    check(render(text, lookup).html)
  }
})

test('the check itself sees what is not allowed', () => {
  for (const html of [
    '<embed>',
    '<p onclick="a">',
    '<a href="javascript:a">',
    '<span style="background:url(a)">',
  ]) {
    expect(offences(html)).toHaveLength(1)
  }
})

/** Expects that browsers read only what is allowed, and read the same after they have serialized it. */
function check(html: string): void {
  expect(offences(html)).toEqual([])
  const read = serialize(parseFragment(html))
  expect(serialize(parseFragment(read))).toBe(read)
}

/** Texts that are known to have run scripts elsewhere. */
function collection(): string[] {
  return [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '<a href="javascript:alert(1)">x</a>',
    '<body onload=alert(1)>',
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A&#x61&#x76&#x61script:alert(1)',
    'javascript&colon;alert(1)',
    'javascript://x.org/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD4=',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'https://x.org/"onclick="alert(1)',
    'https://x.org/<script>',
    'https://x.org/a.png"onerror="alert(1)',
    '//x.org/a.js',
    '\\\\x.org',
    '![x](javascript:alert(1))',
    '[x](https://x.org "a" onclick="alert(1)")',
    '[x](<javascript:alert(1)>)',
    '<javascript:alert(1)>',
    '<time:"><script>alert(1)</script>',
    '@**"><script>**',
    ':"><script>:',
    '\\href{javascript:alert(1)}{x}',
    '\\htmlData{a=b}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<template><script>alert(1)</script></template>',
  ]
}

function offences(html: string): string[] {
  return elements(parseFragment(html)).flatMap(({ tagName, attrs }) => {
    const attributes = allowed[tagName]
    if (!attributes) return [`<${tagName}>`]
    return attrs
      .filter(
        ({ name, value }) => !attributes[name]?.test(value) || (name === 'href' && !isAllowedHref(value)),
      )
      .map(({ name, value }) => `<${tagName} ${name}="${value}">`)
  })
}

function elements(node: DefaultTreeAdapterTypes.ParentNode): DefaultTreeAdapterTypes.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elements(child)] : []))
}

/** An address that no browser can read leads nowhere, which is no harm. */
function isAllowedHref(href: string): boolean {
  const base = 'https://chat.example/'
  return (
    !URL.canParse(href, base) ||
    ['http:', 'https:', 'mailto:', 'ftp:', 'bitcoin:', 'tel:', 'sms:'].includes(new URL(href, base).protocol)
  )
}
