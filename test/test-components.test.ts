import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// What `npm run test:components -- --only NAME` makes of names. The tests that it runs need the real programs.

const root = fileURLToPath(new URL('..', import.meta.url))

function only(...names: string[]) {
  const { TEST_KEYCLOAK: _, ...env } = process.env
  const words = names.flatMap((name) => ['--only', name])
  return spawnSync(process.execPath, [`${root}/scripts/test-components.mjs`, ...words], {
    encoding: 'utf8',
    env,
  })
}

test('an unknown name runs nothing, and the names are those of the documentation', () => {
  const { status, stdout, stderr } = only('Keycloack')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  const [, names] = /^There is no component Keycloack\. The names are: (.*)\.\n$/.exec(stderr)!
  const text = readFileSync(`${root}/CONTRIBUTING.md`, 'utf8').replaceAll(/\s+/g, ' ')
  const [, documented] = /every PostgreSQL below `[^`]+`, (.*?)\. It names/.exec(text)!
  const expected = documented!
    .replaceAll(/ \(.*?\)/g, '')
    .split(', ')
    .map((name) => name.replace(/^the /, ''))
  expect(names!.split(', ').slice(2).sort()).toEqual(expected.sort())
})

test.each([['Keycloak'], ['kc.sh'], ['keycloak'], ['PostgreSQL 9']])(
  'that %s is not on this machine is a failure',
  (name) => {
    const { status, stdout, stderr } = only(name)
    expect(status).toBe(1)
    expect(stdout).toContain('Run: nothing.')
    expect(stderr).toBe(`Not found: ${/^PostgreSQL/.test(name) ? name : 'Keycloak'}.\n`)
  },
)
