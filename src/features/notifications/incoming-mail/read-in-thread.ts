import { Worker } from 'node:worker_threads'
import { guard } from '../../../lib/guard.ts'
import { incomingMailLimits } from './limits.ts'
import type { ReadMail } from './read-mail.ts'

/** A mail cannot be read: it is not one, or needs more time or memory than a mail may. */
export class UnreadableMail extends Error {
  override name = 'UnreadableMail'
}

/** The folder of the built program, set by the build. Sources that run unbuilt have none. */
declare const PROGRAM_FOLDER: string | undefined
const isBuilt = typeof PROGRAM_FOLDER === 'string'

/** The program of the thread: a file, or code that runs its source. */
const program = isBuilt
  ? `${PROGRAM_FOLDER}/mail-thread.js`
  : `import('tsx/esm/api').then(({ tsImport }) =>
      tsImport(${JSON.stringify(new URL('mail-thread.ts', import.meta.url))}, ${JSON.stringify(import.meta.url)}))`

const most = { seconds: incomingMailLimits.readSeconds as number, mib: incomingMailLimits.readMib as number }

/**
 * Reads a mail in a thread of its own: whatever its sender has written, other work goes on, and the thread ends when it
 * has used its time or its memory. Takes the bytes away. Throws UnreadableMail.
 */
export function readInThread(bytes: Uint8Array<ArrayBuffer>, { seconds, mib } = most): Promise<ReadMail> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, {
      workerData: bytes,
      transferList: [bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: mib },
      // It reads what strangers write, so it has no secrets.
      env: {},
      execArgv: [],
      eval: !isBuilt,
    })
    const fail = (error: unknown) => reject(new UnreadableMail('The mail cannot be read', { cause: error }))
    const timer = setTimeout(
      guard(fail, () => {
        fail(new Error('It takes too long'))
        return thread.terminate()
      }),
      seconds * 1000,
    )
    thread.once('message', resolve)
    thread.once('error', guard(fail, fail))
    thread.once(
      'exit',
      guard(fail, (status) => {
        clearTimeout(timer)
        fail(new Error(`The thread ended with status ${status}`))
      }),
    )
  })
}
