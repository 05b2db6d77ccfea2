import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { giveTo, systemAccountFor } from '../../src/postgres/embedded-account.ts'
import { clusterArgument } from '../../src/postgres/embedded-cluster.ts'
import {
  findPrograms,
  type Programs,
  runProgram,
  spawnProgram,
} from '../../src/postgres/embedded-programs.ts'
import type { Slice } from '../measure.ts'
import { cpuOfEnded } from '../processes.ts'

/**
 * The minimum of a start: Node that does nothing, then PostgreSQL until it answers, without anything of ours. A cluster
 * that does not exist is made first.
 */
export async function startBare(cluster: string): Promise<Slice> {
  const account = await systemAccountFor(cluster)
  const programs = await findPrograms({ account, dataDir: cluster, log: () => {} })
  const before = cpuOfEnded()
  const start = performance.now()
  execFileSync(process.execPath, ['-e', '0'])
  const node = cpuOfEnded() - before
  if (!existsSync(cluster)) await create(cluster, programs)
  const answered = await answerOf(cluster, programs)
  const took = answered - start
  const cpu = { server: node, postgres: cpuOfEnded() - before - node }
  return { count: 1, seconds: took / 1000, latencies: [took], cpu }
}

async function create(cluster: string, programs: Programs) {
  await mkdir(cluster, { mode: 0o700 })
  await giveTo(programs.account, cluster)
  // One call for all files, as they are a thousand.
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : []
  const args = ['-D', clusterArgument(cluster, programs), '--auth=trust', '--username=bare', ...method]
  await runProgram(programs, 'initdb', args, { cwd: cluster })
}

/** Starts and ends PostgreSQL. Returns when it has answered. */
async function answerOf(cluster: string, programs: Programs): Promise<number> {
  const sockets = await mkdtemp(join(tmpdir(), 'bench-'))
  if (programs.account) await chown(sockets, programs.account.uid, programs.account.gid)
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${sockets}`]
  const args = ['-D', clusterArgument(cluster, programs), ...settings]
  const child = spawnProgram(programs, 'postgres', args, { cwd: cluster, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const url = `postgresql://bare@/postgres?host=${encodeURIComponent(sockets)}`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`the bare PostgreSQL ended with ${child.exitCode}`)
    await sleep(5)
  }
  const answered = performance.now()
  child.kill('SIGINT')
  await ended
  await rm(sockets, { recursive: true })
  return answered
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    await client.query('SELECT')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
