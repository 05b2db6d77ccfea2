import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sparticuz from '@sparticuz/chromium'

const cache = fileURLToPath(new URL('../../node_modules/.cache/rookery/', import.meta.url))
const folder = `${cache}chromium`

/** The path of the browser that comes with the development dependencies. */
export const chromiumProgram = `${folder}/chromium`

/** Unpacks the browser, once per checkout: several processes that unpacked it would find each other's half-written file. */
export async function unpackChromium() {
  if (existsSync(chromiumProgram)) return
  const staging = `${cache}unpacking-${process.pid}`
  await mkdir(staging, { recursive: true })
  const { TMPDIR } = process.env
  process.env.TMPDIR = staging
  try {
    await sparticuz.executablePath()
    await rename(staging, folder)
  } catch (error) {
    // Another run has been faster.
    if (!existsSync(chromiumProgram)) throw error
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    await rm(staging, { recursive: true, force: true })
  }
}
