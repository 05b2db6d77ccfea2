import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configTable } from '../src/config/config.ts'

test('docs/settings.md shows the settings as they are declared', async () => {
  const page = await readFile(new URL('../docs/settings.md', import.meta.url), 'utf8')
  const shown = /<!-- settings: .*-->\n([\s\S]*?)<!-- \/settings -->/.exec(page)?.[1]
  expect(shown).toBe(configTable())
})
