import { expect, test } from 'vitest'
import { tries } from '../../../test/runner/effort.ts'
import { markdownLimits } from '../limits.ts'
import { readIndex } from './definition.ts'
import { generatedTokens } from './generated.ts'
import { languageFor } from './languages.ts'

const lexers = [...new Set(readIndex().flatMap(([, , lexer]) => lexer || []))]

/** Texts that make patterns search long, and lexers go deep. */
const units = [
  ...[
    '"',
    "'",
    '`',
    '/*',
    '<',
    '{',
    '$' + '{',
    '[',
    '(',
    '#',
    '\\',
    '"a\\',
    '"""',
    "r'",
    'R"(',
    '<a b="',
    '<%',
  ],
  ...[
    'a',
    '1',
    'é',
    '0x',
    'a_',
    'a.',
    'a (',
    'a b c ',
    'x=',
    ':',
    '- ',
    '*',
    '|',
    '&',
    '@',
    '!',
    '%',
    '\n',
    ' ',
  ],
  ...['<<A\n', '=begin\n', '😀', 'a\n', '-', ';', '(*', '--', '//', '{{', '$(', '\n '],
]
const perLexer = tries(6)

test('there are the languages that people asked for, and some five hundred in all', () => {
  expect(lexers.length).toBeGreaterThan(400)
  for (const word of 'scss powershell cmake ocaml julia terraform nix jinja php py2'.split(' ')) {
    expect(languageFor(word)?.lexer, word).toBeTruthy()
  }
})

test('whatever the code, no lexer fails, loses any of it, or takes more than its steps', {
  timeout: 240_000,
}, () => {
  for (const [number, lexer] of lexers.entries()) {
    for (let i = 0; i < perLexer; i++) {
      const unit = units[(number + i * 7) % units.length]!
      const code = unit.repeat(markdownLimits.highlighted).slice(0, markdownLimits.highlighted - 1)
      const steps = { left: markdownLimits.highlighting }
      const tokens = generatedTokens(code, lexer, ['root'], steps)
      expect(tokens.map(([, text]) => text).join('') === code, `${lexer} ${unit}`).toBe(true)
      // The last that is counted may be a long repetition, or another lexer.
      expect(steps.left, `${lexer} ${unit}`).toBeGreaterThan(-200_000)
    }
  }
})

test('one message holds code in many languages', () => {
  const words = lexers.slice(0, 40)
  const steps = { left: markdownLimits.highlighting }
  const colored = words.filter((lexer) =>
    generatedTokens('a = "b" # c\n', lexer, ['root'], steps).some(([name]) => name !== ''),
  )
  expect(colored.length).toBeLessThanOrEqual(markdownLimits.highlighters)
  expect(generatedTokens('a = "b"\n', colored[0]!, ['root'], steps).length).toBeGreaterThan(1)
})

test('what the steps do not reach is plain', () => {
  const code = 'x = 1\n'.repeat(500)
  const tokens = generatedTokens(code, 'python', ['root'], { left: 35_000 })
  expect(tokens.at(-1)![0]).toBe('')
  expect(tokens.at(-1)![1].length).toBeGreaterThan(1_000)
  expect(tokens[0]).toEqual(['n', 'x'])
  expect(tokens.map(([, text]) => text).join('')).toBe(code)
})
