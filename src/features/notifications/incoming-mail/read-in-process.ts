import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { adapterLimits } from '../../../adapters/limits.ts'
import { guard, ignore } from '../../../lib/guard.ts'
import { incomingMailLimits } from './limits.ts'
import type { ReadMail } from './read-mail.ts'

/** A mail cannot be read: because of its form, or because reading it exceeds the limit of time or memory. */
export class UnreadableMail extends Error {
  override name = 'UnreadableMail'
  readonly reason: 'form' | 'time' | 'memory'

  constructor(reason: UnreadableMail['reason']) {
    super('The mail cannot be read')
    this.reason = reason
  }
}

/** The folder of the built program. The build sets it; sources that run unbuilt have none. */
declare const PROGRAM_FOLDER: string | undefined
const program =
  typeof PROGRAM_FOLDER === 'string'
    ? [`${PROGRAM_FOLDER}/mail-reader.js`]
    : ['--import', 'tsx', fileURLToPath(new URL('mail-reader.ts', import.meta.url))]

type ReadLimits = { seconds: number; mib: number }

const usualLimits: ReadLimits = { seconds: incomingMailLimits.readSeconds, mib: incomingMailLimits.readMib }

/** Bytes that the process may return; they include the files of the mail. */
const resultBytes = (adapterLimits.incomingMailMib + 4) * 1024 * 1024

/**
 * Reads a mail in a process of its own, so that no mail can delay other work, and only that process ends if it exceeds
 * its limit of time or memory. A thread is not enough: V8 may end the whole server when a thread exceeds its memory.
 * Throws UnreadableMail.
 */
export async function readInProcess(content: Uint8Array, { seconds, mib } = usualLimits): Promise<ReadMail> {
  const child = spawn(process.execPath, [`--max-old-space-size=${mib}`, ...program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // The process reads input of strangers, so it gets no secrets.
    env: {},
  })
  const ended = endOf(child)
  let isLate = false
  const end = guard(ignore, () => {
    isLate = true
    child.kill('SIGKILL')
  })
  const timer = setTimeout(end, seconds * 1000)
  try {
    const { stdin, stdout } = child
    // If no file descriptors are left, the process was not started, and this rejects.
    if (!stdin || !stdout) throw await ended
    // The process may end before it has read everything.
    stdin.on('error', ignore).end(content)
    const [result, { status, signal }] = await Promise.all([resultIn(stdout, child), ended])
    if (status === 0 && result.length > 0) return deserialize(result)
    if (isLate) throw new UnreadableMail('time')
    throw new UnreadableMail(signal === null ? 'form' : 'memory')
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

type End = { status: number | null; signal: string | null }

/** Rejects if the process cannot be started. */
async function endOf(child: ChildProcess): Promise<End> {
  const [status, signal] = await once(child, 'close')
  return { status, signal }
}

/** Returns the output of a process. Ends the process if there is too much. */
async function resultIn(output: Readable, child: ChildProcess): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of output as AsyncIterable<Buffer>) {
    size += piece.length
    if (size <= resultBytes) pieces.push(piece)
    else child.kill('SIGKILL')
  }
  return Buffer.concat(pieces)
}
