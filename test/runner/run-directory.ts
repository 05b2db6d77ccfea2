import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const enough = 3 * 1024 ** 3
const prefix = 'rookery-tests-'

/**
 * Creates a directory for everything that a run of the tests writes, and makes it the temporary directory of all its
 * processes: in memory if there is room, as it is not kept.
 */
export async function newRunDirectory() {
  const parent = (await hasRoom()) ? memory : tmpdir()
  await removeLeftovers(parent)
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  // Its mode is that of the usual temporary directory, as some tests start programs as other users.
  await chmod(path, 0o1777)
  process.env.TMPDIR = path
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

async function hasRoom(): Promise<boolean> {
  const found = await statfs(memory).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= enough
}

/** Removes those of runs that were killed. */
async function removeLeftovers(parent: string) {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) && Number.parseInt(name.slice(prefix.length), 10)
    if (pid && !isRunning(pid)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
