import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { loginLimits } from '../../features/accounts/kernel/login/limits.ts'
import { hashNewPassword } from '../../features/accounts/kernel/login/passwords.ts'
import { ApiError } from '../../lib/api-error.ts'
import { guard } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { UsageError } from '../command.ts'

/** The option of commands that set a password. */
export const passwordOption = {
  value: '-|generated',
  help: 'read it from standard input (-) or make one and print it (generated, the default)',
}

/** Returns a random password. */
export function newPassword(): string {
  return randomBytes(12).toString('base64url')
}

/**
 * Returns the password of the option: undefined means a generated one. It is never on the command line itself, which
 * others could see.
 */
export async function readPassword(option: string | undefined): Promise<string | undefined> {
  if (option === undefined || option === 'generated') return undefined
  if (option === '-') return process.stdin.isTTY ? askForPassword() : firstLineOfInput()
  throw new UsageError(
    'A password is not taken from the command line, where others can see it: use --password - and standard input.',
  )
}

/** Returns the hash of a password. Throws if it is too long or too easy to guess, and says what to do. */
export async function hashGiven(
  realm: RealmState,
  password: string,
  person: { email: string; fullName: string },
): Promise<string> {
  if ([...password].length > loginLimits.passwordLength) {
    throw new Error(`The password is longer than ${loginLimits.passwordLength} characters.`)
  }
  return hashNewPassword(realm, password, person).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    const advice = 'Give a longer one, such as several words, or have one made: --password generated.'
    throw new Error(`${error.message} ${advice}`)
  })
}

async function firstLineOfInput(): Promise<string> {
  let text = ''
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece
  return firstIn(text.split(/\r?\n/))
}

function askForPassword(): Promise<string> {
  process.stderr.write('Password: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  return new Promise((resolve, reject) => {
    const take = guard(reject, (line: string) => {
      resolve(line)
      process.stderr.write('\n')
      lines.close()
    })
    const interrupt = guard(reject, () => process.exit(130))
    const end = guard(reject, () => resolve(''))
    lines.once('line', take).once('close', end).once('SIGINT', interrupt)
  })
}
