import { expect, test } from 'vitest'
import { bareWork, processorMs } from '../../bench/calibration.ts'
import { emptyLookup, type Lookup } from './lookup.ts'
import { render } from './render.ts'

const hostileLookup: Lookup = {
  ...emptyLookup,
  userByName: (name) => (name.length % 2 === 0 ? { id: 7, name } : undefined),
  channelByName: (name) => (name.length % 2 === 1 ? { id: 9, name } : undefined),
  groupByName: (name) => ({ id: 5, name }),
  realmUrl: 'https://chat.example',
  translateEmoticons: true,
  picture: () => ({ contentType: 'image/png', width: 1, height: 2 }),
  externalContent: (address) => `/external/${address}`,
  linkifiers: ['(a+)+b', '(?P<p>(x|x)*y)', '(.*)*z', '#(?P<p>[0-9]+)(?:.*closed)?'].map((pattern) => ({
    pattern,
    url_template: 'https://x.org/{p}',
  })),
}

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
  .concat(hostileDialect())
const whole = [
  `${'|a'.repeat(2400)}\n${'|-'.repeat(2400)}\n${'x\n'.repeat(200)}`,
  `|a|b|c|d|e|f|g|h|\n${'|-'.repeat(8)}|\n${'x\n'.repeat(4900)}`,
  Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(' '),
  `${'*a '.repeat(1600)}${'a* '.repeat(1600)}`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  Array.from({ length: 95 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  `${'>'.repeat(64)}a\n`.repeat(150),
  `\`\`\`${'a'.repeat(9990)}\``,
  `# ${'#'.repeat(9990)}x`,
  '<time:'.repeat(1600),
  `[a](<>${' '.repeat(1900)}x) `.repeat(5),
  ...hostileCode(),
]

function hostileDialect(): string[] {
  return [
    ...[
      '***',
      '~~~',
      '$$',
      '$$x',
      '$$x$$ ',
      '$$\\\\frac',
      '$$a^',
      ':',
      ':a',
      ':smile:',
      ':) ',
      '#',
      '# a\n',
      '#1 ',
      '#**',
      '#**a>',
      '#**a>b** ',
    ],
    ...[
      '```quote\n',
      '```math\n',
      '~~~spoiler x\n',
      '```py\n',
      '[](',
      '[a](b',
      '[a](<',
      '(',
      '> > ',
      '  - a\n',
      ' 1. a\n* b\n',
      '1. > a\n',
    ],
    ...[
      'https://a:',
      'a.co:',
      'a.co,',
      'https://x.org/(',
      '.',
      '<time:',
      '<time:1>',
      '&amp;',
      '---\n',
      '    a\n',
      '\t',
      '- # a\n',
      'aaaab',
      'x',
      '!a',
    ],
    ...[
      'https://x.org/a.png ',
      'https://youtu.be/dQw4w9WgXcQ ',
      '/user_uploads/1/a.png ',
      '❤️',
      '\u0002',
      '\u200d',
      'bitcoin:1',
      "'",
    ],
  ]
}

function hostileCode(): string[] {
  const languages =
    'py js c java sh console html xml css json yaml sql md tex rust go php rb nginx graphql erl hs clj docker make diff toml ini lua pl ex matlab scala kotlin swift groovy f# lisp nim zig dart c# asm proto r'
  const units = [
    '"',
    "'",
    '/*',
    '<',
    '{',
    '`${',
    'a',
    '1',
    '/',
    '\\',
    '"""a',
    'f"{',
    '[',
    '- ',
    '$(',
    '(*',
    'x=',
    '@',
    'a.',
    'a (',
  ]
  return [
    ...languages
      .split(' ')
      .filter((language) => language !== 'erl')
      .map(
        (language, index) => `\`\`\`${language}\n${units[index % units.length]!.repeat(9000).slice(0, 9900)}`,
      ),
    `$$${'\\frac{1}{'.repeat(400)}1${'}'.repeat(400)}$$`,
    '$$\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c$$',
    `\`\`\`math\n${'x^{'.repeat(300)}x${'}'.repeat(300)}`,
    `\`\`\`math\n\\begin{matrix}${`${'a&'.repeat(30)}\\\\`.repeat(30)}\\end{matrix}`,
    `$$${'\\sqrt{x_1^2}'.repeat(70)}$$ `.repeat(10),
    Array.from({ length: 20 }, (_, index) => `${'`'.repeat(30 - index)}quote\n`).join('') +
      'x\n'.repeat(4000),
  ]
}

/** In units of the bare work: less than 50 ms on the machine where the unit takes 5.3 ms. */
const most = 9

test('10,000 characters of ill will take little time', () => {
  const sources = [...hostile.map((unit) => unit.repeat(10_000).slice(0, 10_000)), ...whole]
  for (let i = 0; i < 10; i++) bareWork() // As fast as it gets, after it was compiled.
  const slow = sources.filter((source) => leastRatio(source) >= most)
  expect(slow.map((source) => source.slice(0, 20))).toEqual([])
})

/**
 * How long a text takes, relative to bare work that is done in turn with it. The least of some runs counts, as other work
 * of the machine makes a run slower, never faster. What seems too slow is tried more often: until V8 has compiled what a
 * text needs, it takes five times as long, and on a busy machine the compiler's thread may wait for many runs.
 */
function leastRatio(source: string): number {
  let [text, bare] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < 60; run++) {
    text = Math.min(
      text,
      processorMs(() => render(source, hostileLookup)),
    )
    bare = Math.min(bare, processorMs(bareWork))
    if (text < (run < 8 ? most / 2 : most) * bare) break
    if (run >= 8 && text > 5 * most * bare) break
  }
  return text / bare
}
