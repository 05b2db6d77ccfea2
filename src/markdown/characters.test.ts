import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oddCharacters } from '../../test/random/odd-characters.ts'
import { tries } from '../../test/runner/effort.ts'
import { emptyLookup, type Lookup } from './lookup.ts'
import { render, renderDescription } from './render.ts'

const lookup: Lookup = {
  ...emptyLookup,
  userByName: (name) => ({ id: 7, name }),
  userById: (id) => ({ id, name: 'a' }),
  channelByName: (name) => ({ id: 9, name }),
  groupByName: (name) => ({ id: 5, name }),
  realmUrl: 'https://chat.example',
  translateEmoticons: true,
  picture: () => ({ contentType: 'image/png', width: 1, height: 2 }),
  externalContent: (address) => `/external/${encodeURIComponent(address)}`,
  linkifiers: [{ pattern: '!(?P<id>.+)', url_template: 'https://x.org/{id}' }],
  alertWords: new Map([[1, ['a']]]),
}

/** Each place where a text may stand; `_` is the text. */
const places = [
  ...['_', '_\n\n_', '# _', '###### _ ##', '> _', '> > _', '    _', '\t_', '---\n_', '_\n---'],
  ...['* _', '- _\n- _', '1. _', '10. _', '0. _\n1. _', '- a\n  - _', '- a\n\n  _', '1. a\n- _', '- a\n_'],
  ...['```\n_\n```', '```py\n_\n```', '~~~_\n_\n~~~', '```_', '``` _ x\n_', '```quote\n_\n```', '```\n_'],
  ...['```spoiler _\n_\n```', '````quote\n```spoiler _\n- _\n```\n````', '```math\n_\n```', '    ```\n    _'],
  ...['|_|_|\n|-|-|\n|_|_|', '_|_\n-|-\n_|_', '|_|\n|-|\n|_|', '|a|\n|-_|\n|a|', '|\\_|`_|\n|-|-|'],
  ...['`_`', '``_`` `_', '*_*', '**_**', '***_***', '~~_~~', '$$_$$', '$$\\text{_}$$', '$$x_2$$', '_$$x$$_'],
  ...['[_](https://x.org)', '[a](_)', '[a](<_>)', '[a](https://x.org/_ "_")', 'https://x.org/_', '_@x.org'],
  ...['https://_.org', 'x.org_', '_https://x.org_', '![_](_)', '[_', '](_', '/user_uploads/_.mp3'],
  ...['@**_**', '@_**_|7**', '@*_*', '@**|7**_', '#**_**', '#**_>_**', '#**a>_@5**', '#**a>**_'],
  ...[
    ':_:',
    ':smile:_',
    '<time:_>',
    '<time:2024-01-01_12:00>',
    '&_;',
    '&#_;',
    '!_',
    '!a_b !c',
    '/me _',
    ':)_',
  ],
  ...['1._', '-_', '*_', '#_', '>_', '_1. a', '_- a', '_> a', '_# a', '_```\n_```', ' _\n - a', '_\n'],
].map((place) => place.split('_'))

const fill = (place: string[], text: string) => place.join(text)
const texts = (character: string) => [
  character,
  `a${character}b`,
  `${character}a`,
  `a${character}`,
  character.repeat(3),
]

test.each(oddCharacters)('%s goes through every place of a message and of a description', (_, character) => {
  for (const place of places) {
    for (const text of texts(character)) {
      const source = fill(place, text)
      const { html } = render(source, lookup)
      expect(html === '', JSON.stringify(source)).toBe(source.trim() === '')
      expect(html.isWellFormed(), JSON.stringify(source)).toBe(true)
      expect(renderDescription(source, lookup).isWellFormed()).toBe(true)
    }
  }
})

const word = fc.oneof(
  fc.constantFrom(...oddCharacters.map(([, character]) => character), 'a', ' ', '', '\n', '\n\n'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const fragment = fc.tuple(fc.constantFrom(...places), word).map(([place, text]) => fill(place, text))
const nested = fc
  .tuple(fc.constantFrom(...places), fc.array(fc.oneof(fragment, word), { maxLength: 3 }))
  .map(([place, parts]) => fill(place, parts.join('')))
const compositions = fc
  .array(fc.oneof(fragment, nested, word), { minLength: 1, maxLength: 8 })
  .chain((parts) => fc.constantFrom('', '\n', '\n\n', ' ').map((between) => parts.join(between)))

test('whatever the fragments of a message, it is rendered and shows something', () => {
  fc.assert(
    fc.property(compositions, (source) => {
      const { html } = render(source, lookup)
      expect(html === '').toBe(source.trim() === '')
      expect(html.isWellFormed()).toBe(true)
      renderDescription(source, lookup)
    }),
    { numRuns: tries(6_000) },
  )
})
