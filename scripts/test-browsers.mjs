// Repeats the main tests of the web client in Firefox and WebKit, in those of the two that are installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { firefox, webkit } from 'playwright-core'
import { at, tool } from './sources.mjs'

/** The tests of what the client promises its users in every browser. Their server must be below `localhost`. */
const files = [
  'feed/reading-and-writing',
  'compose/writing',
  'shell/keyboard',
  'compose/kept-texts',
  'store/failures',
  'store/restart',
]

let hasFailed = false
for (const browser of [firefox, webkit]) {
  const name = browser.name()
  const program = browser.executablePath()
  if (!existsSync(program)) {
    console.log(
      `${name}: skipped, as there is no ${program}. "npx playwright-core install ${name}" installs it.`,
    )
    continue
  }
  console.log(`${name}: ${program}`)
  const { status } = spawnSync(
    process.execPath,
    [tool('vitest', 'vitest.mjs'), 'run', ...files.map((file) => `test/web/${file}.test.ts`)],
    { cwd: at('.'), stdio: 'inherit', env: { ...process.env, TEST_BROWSER: name } },
  )
  hasFailed ||= status !== 0
}
process.exitCode = hasFailed ? 1 : 0
