import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url))

/** Builds the web client as the server serves it, if its sources have changed. */
export async function buildWebClient() {
  await promisify(execFile)(process.execPath, [script, '--if-needed'])
}
