import { chmod, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '../lib/errors.ts'
import { giveTo, ownName } from './embedded-account.ts'
import { type Programs, runProgram } from './embedded-programs.ts'

/** The one database user; the database has the same name as the product. */
export const databaseUser = 'rookery'

/**
 * Returns the path by which PostgreSQL finds a cluster in its working directory. The user it runs as may not be able to
 * enter the directories above (/root, a home), but Linux lets every process enter its own working directory through
 * /proc, and root sets it before becoming that user.
 */
export function clusterArgument(cluster: string, { account }: Programs): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

/** Makes a cluster, all or nothing: it is written beside its place and put there when it is whole and on disk. */
export async function createCluster(cluster: string, programs: Programs): Promise<void> {
  const unfinished = unfinishedCluster(cluster)
  await initialize(unfinished, programs)
  await replaceFile(join(unfinished, 'postgresql.conf'), ownConfiguration, programs)
  // initdb syncs each of a thousand files; doing that once, together with our own file, costs much less.
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : []
  const place = clusterArgument(unfinished, programs)
  await runProgram(programs, 'initdb', ['--sync-only', ...method, '-D', place], { cwd: unfinished })
  await rename(unfinished, cluster)
  const parent = await open(dirname(cluster))
  await parent.sync().finally(() => parent.close())
}

/** Returns the directory in which a new cluster is written until it is complete. */
export function unfinishedCluster(cluster: string): string {
  return `${cluster}.unfinished`
}

/** Whether a cluster stands here. Throws if there is something else. */
export async function hasCluster(cluster: string): Promise<boolean> {
  const found = await readdir(cluster).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw new Error(`The database in ${cluster} cannot be read: ${error.message}.`, { cause: error })
  })
  if (found.length === 0 || found.includes('PG_VERSION')) return found.length > 0
  throw new Error(`${cluster} holds other files than a PostgreSQL database: move them away.`)
}

/** Writes the files that each start decides anew: who may connect, and the settings that an admin's own override. */
export async function configureCluster(cluster: string, programs: Programs): Promise<void> {
  if ((await lstat(cluster)).uid === 0) await giveTo(programs.account, cluster)
  const mapped = new Set([ownName(), 'root'])
  const users = [...mapped].map((name) => `server ${JSON.stringify(name)} ${databaseUser}\n`)
  await replaceFile(join(cluster, 'pg_ident.conf'), users.join(''), programs)
  await replaceFile(join(cluster, 'pg_hba.conf'), 'local all all peer map=server\n', programs)
  await replaceFile(join(cluster, 'rookery.conf'), settings, programs)
}

async function initialize(directory: string, programs: Programs): Promise<void> {
  // C.UTF-8 knows which characters are letters, which a search index needs; not every system has it.
  const ctypes = ['C.UTF-8', 'en_US.UTF-8', 'C']
  for (const [index, ctype] of ctypes.entries()) {
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory)
    await chmod(directory, 0o700)
    await giveTo(programs.account, directory)
    // PostgreSQL's own rules for case and order hold on every system, and do not change with its C library.
    const locale = [
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${ctype}`,
    ]
    const others = ['--encoding=UTF8', '--data-checksums', '--auth=peer', `--username=${databaseUser}`]
    const place = clusterArgument(directory, programs)
    const args = ['-D', place, '--no-sync', '--no-instructions', ...others, ...locale]
    try {
      return await runProgram(programs, 'initdb', args, { cwd: directory })
    } catch (error) {
      if (index < ctypes.length - 1 && messageOf(error).includes('locale')) continue
      throw new Error(`The database could not be created: ${messageOf(error)}`, { cause: error })
    }
  }
}

/** PostgreSQL's user owns the directory and we may be root: a file is made anew there, never written through a link. */
async function replaceFile(path: string, text: string, { account }: Programs): Promise<void> {
  await rm(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (account) await file.chown(account.uid, account.gid)
  } finally {
    await file.close()
  }
}

const ownConfiguration = `# What stands below the next line goes before what rookery.conf says.
include 'rookery.conf'
`

/**
 * Before it recovers from a crash, PostgreSQL has all its files written to disk: a thousand of them, which takes seconds one
 * by one on a busy machine, and a tenth of a second in one call. How much there is to recover is up to the checkpoints.
 */
const syncMethod = process.platform === 'linux' ? 'recovery_init_sync_method = syncfs\n' : ''

const settings = `# Written anew at each start: put your own settings into postgresql.conf.
max_connections = 60
shared_buffers = 256MB
wal_compression = on
checkpoint_timeout = 5min
max_wal_size = 1GB
max_slot_wal_keep_size = 4GB
${syncMethod}random_page_cost = 1.1
jit = off
fsync = on
synchronous_commit = on
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_checkpoints = off
max_logical_replication_workers = 0
cluster_name = 'rookery'
`
