import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configTable } from '../src/lib/config.ts'

test('the README shows the settings as they are declared', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const shown = /<!-- settings: .*-->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1]
  expect(shown).toBe(configTable())
})
