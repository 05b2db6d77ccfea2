import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(exec)

test('what is built runs as the command of the README', { timeout: 120_000 }, async () => {
  await run('npm run --silent build')
  const { stdout } = await run('npx --offline rookery help')
  expect(stdout).toMatch(/^Usage: rookery COMMAND\n/)
})
