import { readFile } from 'node:fs/promises'
import { messageOf } from '../../lib/errors.ts'
import { productVersion } from '../../lib/version.ts'
import type { Finding } from './checks.ts'

/** Checks what the program itself is made of. */
export async function* checkProgram(): AsyncGenerator<Finding> {
  yield await checkNode()
  yield await checkNativeCode()
}

async function checkNode(): Promise<Finding> {
  const file = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  const wanted = (JSON.parse(file) as { engines: { node: string } }).engines.node.replace('>=', '')
  const what = `Rookery ${productVersion} on Node ${process.versions.node}`
  if (isAtLeast(process.versions.node, wanted)) return { level: 'ok', what }
  return { level: 'FAIL', what, advice: `Install Node ${wanted} or newer.` }
}

function isAtLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

/** The libraries with machine code come in a build for each system, and may have been installed for another one. */
async function checkNativeCode(): Promise<Finding> {
  try {
    await Promise.all([import('sharp'), import('@node-rs/argon2')])
    return { level: 'ok', what: 'the libraries for pictures and passwords can be loaded' }
  } catch (error) {
    const [reason] = messageOf(error).split('\n')
    const advice = 'Install again on this machine: npm ci.'
    return { level: 'FAIL', what: `a library cannot be loaded: ${reason}`, advice }
  }
}
