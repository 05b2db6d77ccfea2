import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { systemReason } from '../file-faults.ts'
import { directoryOf } from '../files.ts'
import { foreignIn } from '../serve/file-owners.ts'
import type { Finding } from './checks.ts'

/** How deep this looks: down to the directories of single files. */
const levels = 3

/**
 * Checks whether all files in the data directory belong to its owner, who runs the server. A copy by root leaves files that the
 * server cannot open. Root can open all, and runs PostgreSQL as another user.
 */
export async function* checkOwners({ dataDirectory }: Config): AsyncGenerator<Finding> {
  const own = await stat(dataDirectory).catch(() => undefined)
  if (own === undefined || own.uid === 0) return
  const foreign = await foreignIn(dataDirectory, own.uid, levels)
  if (foreign === undefined) return
  yield {
    level: 'FAIL',
    what: `${foreign.path} belongs to the user with the number ${foreign.uid}, and the data directory to the one with ${own.uid}`,
    advice: `As root: chown -R ${own.uid}:${own.gid} ${dataDirectory}`,
  }
}

/** Checks whether uploads can be written, if they are kept in the data directory. */
export async function* checkUploads(config: Config): AsyncGenerator<Finding> {
  const directory = directoryOf(config)
  const found = await stat(directory).catch(() => undefined)
  if (config.s3Bucket !== undefined || !found) return
  const advice = 'Give it to the user who runs the server (chown), or mount it so that it can be written.'
  if (!found.isDirectory()) {
    yield { level: 'FAIL', what: `${directory} is no directory`, advice: 'Move it away.' }
    return
  }
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    yield { level: 'FAIL', what: `${directory} cannot be written: ${systemReason(error)}`, advice }
  }
}
