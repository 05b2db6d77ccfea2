import { dirname } from 'node:path'
import { afterAll, inject, vi } from 'vitest'
import { endFile } from './end-of-file.ts'

// Runs before each test file. Files share one process and its modules, so each restores the initial state.

const environment = { ...process.env }

// Mails are read by the program that the build makes, which starts much faster than its source. Quick tests have none.
const program: string | undefined = inject('program')
if (program) Object.assign(globalThis, { PROGRAM_FOLDER: dirname(program) })

// If a property fails, fast-check names the seed.
if (environment.RANDOM_SEED) {
  const { configureGlobal } = await import('fast-check')
  configureGlobal({ seed: Number(environment.RANDOM_SEED) })
}

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  await endFile()
})
