import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import type { Lookup } from './lookup.ts'
import { render, renderInline } from './render.ts'

const lookup: Lookup = {
  userByName: (name) => (name.length % 2 === 0 ? { id: 7, name: `${name}<img>"` } : undefined),
  userById: (id) => ({ id, name: 'a"><script>' }),
  channelByName: () => undefined,
  groupByName: (name) => ({ id: 5, name: `${name}&<` }),
  realmUrl: 'https://chat.example',
}

/** Every element that messages may have, its attributes, and what those may say. */
const allowed: Record<string, Record<string, RegExp>> = {
  a: { href: /^/, title: /^/ },
  div: { class: /^codehilite$/, 'data-code-language': /^/ },
  ol: { start: /^\d+$/ },
  span: {
    class:
      /^(user-mention|user-mention channel-wildcard-mention|topic-mention|user-group-mention)( silent)?$/,
    'data-user-id': /^(\d+|\*)$/,
    'data-user-group-id': /^\d+$/,
  },
  td: { style: /^text-align: (left|center|right);$/ },
  th: { style: /^text-align: (left|center|right);$/ },
  ...Object.fromEntries(
    'p br hr h1 h2 h3 h4 h5 h6 blockquote ul li pre code strong em del table thead tbody tr'
      .split(' ')
      .map((name) => [name, {}]),
  ),
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
    fc.property(sources, (source) => {
      expect(offences(render(source, lookup).html)).toEqual([])
      expect(offences(renderInline(source))).toEqual([])
    }),
    { numRuns: 2000 },
  )
})

test('the check itself sees what is not allowed', () => {
  for (const html of ['<img>', '<p onclick="a">', '<a href="javascript:a">', '<span class="x">']) {
    expect(offences(html)).toHaveLength(1)
  }
})

const hostile = [
  '*',
  '**',
  '[',
  '![',
  ']',
  '`',
  '``` \n',
  '>',
  '> \n',
  '- ',
  '- \n',
  '1. a\n',
  '@**',
  '@*',
  '@',
  'a@b.co ',
]
  .concat([
    'http://',
    'https://x.org/ ',
    'http://a(',
    '*a **b ',
    '*[a',
    '~~a ',
    '&',
    '\\',
    '|a',
    'a\n',
    ' \n',
    '<',
    '=\n',
  ])
  .concat([
    '@**a** ',
    '@_*g* ',
    '[a](',
    '[a](b "',
    '[@**ab**](https://x.org)',
    '`a ``b ',
    '- [',
    'a|b\n-|-\n',
    '😀',
    '_',
  ])
const whole = [
  `${'|a'.repeat(2400)}\n${'|-'.repeat(2400)}\n${'x\n'.repeat(200)}`,
  `|a|b|c|d|e|f|g|h|\n${'|-'.repeat(8)}|\n${'x\n'.repeat(4900)}`,
  Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(' '),
  `${'*a '.repeat(1600)}${'a* '.repeat(1600)}`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  Array.from({ length: 95 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  `${'>'.repeat(64)}a\n`.repeat(150),
]

test('10,000 characters of ill will take less than 50 ms', () => {
  const sources = [...hostile.map((unit) => unit.repeat(10_000).slice(0, 10_000)), ...whole]
  for (const source of sources) expect(bestOf(3, source), source.slice(0, 20)).toBeLessThan(50)
})

/** Milliseconds of the fastest of some runs: the others measure the machine. */
function bestOf(runs: number, source: string): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now()
    render(source, lookup)
    return performance.now() - start
  })
  return Math.min(...times)
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
  return !URL.canParse(href, base) || ['http:', 'https:', 'mailto:'].includes(new URL(href, base).protocol)
}
