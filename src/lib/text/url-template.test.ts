import { expect, test } from 'vitest'
import { templateVariables } from './url-template.ts'

test.each([
  ['', []],
  ['https://example.com/', []],
  ['https://example.com/{id}', ['id']],
  ['{a}{b,c}/{a}', ['a', 'b', 'c']],
  ['{+path}{#part}{.x}{/y}{;z}{?q,r}{&s}', ['path', 'part', 'x', 'y', 'z', 'q', 'r', 's']],
  ['{a:3}{b*}{c.d}{%20e}', ['a', 'b', 'c.d', '%20e']],
])('the variables of %s', (template, names) => {
  expect([...templateVariables(template)!]).toEqual(names)
})

test.each(['{', '}', '{}', 'x{id', 'id}', '{a{b}}', '{a,}', '{a b}', '{!a}', '{a:0}', '{a..b}', '{.}'])(
  '%s is no template',
  (template) => {
    expect(templateVariables(template)).toBeNull()
  },
)
