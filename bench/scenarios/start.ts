import { spawn } from 'node:child_process'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import { freePort } from '../../src/lib/network/free-port.ts'
import { startBare } from '../bare/postgres.ts'
import type { Result } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { dataDirectory } from '../database.ts'
import { ratioOf, rowOf, type Slice } from '../measure.ts'
import { cpuTimeOfTree } from '../processes.ts'
import { endOf, firstAnswer, home, serverEnvironment } from '../server.ts'

const viaNpm = ['npm', 'start']
const plain = [process.execPath, 'dist/main.js', 'serve']
const starts = 3

/**
 * From the command to the first answer, in a fresh copy of the sources: the very first start, which builds the program
 * and makes the database, one of the built program that makes the database, and later ones.
 */
export async function measureStart(): Promise<Result> {
  const found: Found = { first: [], fresh: [], again: [], plain: [], bareFresh: [], bareAgain: [] }
  for (let i = 0; i < starts; i++) {
    const clone = await freshClone()
    found.first.push(await startServer(viaNpm, clone, 'first'))
    found.again.push(await startServer(viaNpm, clone, 'first'))
    found.plain.push(await startServer(plain, clone, 'first'))
    found.fresh.push(await startServer(plain, clone, 'second'))
    found.bareFresh.push(await startBare(`${clone}/bare`))
    found.bareAgain.push(await startBare(`${clone}/bare`))
    await rm(clone, { recursive: true })
  }
  return resultOf(found)
}

type Found = Record<'first' | 'fresh' | 'again' | 'plain' | 'bareFresh' | 'bareAgain', Slice[]>

function resultOf({ first, fresh, again, plain, bareFresh, bareAgain }: Found): Result {
  const bareNew = 'of bare Node and a new PostgreSQL'
  const bare = 'of bare Node and PostgreSQL'
  return {
    rows: [
      rowOf('npm start, first ever', first),
      rowOf('node dist/main.js serve, new database', fresh),
      rowOf('  bare node -e 0, and a new PostgreSQL', bareFresh),
      rowOf('npm start, again', again),
      rowOf('node dist/main.js serve, again', plain),
      rowOf('  bare node -e 0, and PostgreSQL', bareAgain),
    ],
    findings: [
      {
        what: `npm start, first ever, ${bareNew}`,
        ...ratioOf('p50', first, bareFresh),
        budget: budgets.firstStartOfBare,
      },
      {
        what: `node, new database, ${bareNew}`,
        ...ratioOf('p50', fresh, bareFresh),
        budget: budgets.newStartOfBare,
      },
      { what: `npm start, again, ${bare}`, ...ratioOf('p50', again, bareAgain), budget: budgets.startOfBare },
      { what: `node, again, ${bare}`, ...ratioOf('p50', plain, bareAgain), budget: budgets.nodeStartOfBare },
    ],
  }
}

/** The state of a user's machine after cloning the repository and installing its dependencies. */
async function freshClone(): Promise<string> {
  const clone = `${dataDirectory}clone`
  await mkdir(clone, { recursive: true })
  for (const name of ['package.json', 'tsconfig.json', 'scripts', 'src', 'web']) {
    await cp(`${home}${name}`, `${clone}/${name}`, { recursive: true })
  }
  await symlink(`${home}node_modules`, `${clone}/node_modules`)
  return clone
}

async function startServer([program, ...args]: string[], cwd: string, data: string): Promise<Slice> {
  const port = await freePort()
  const start = performance.now()
  const env = serverEnvironment(port, `${cwd}/data/${data}`)
  const child = spawn(program!, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = endOf(child)
  await firstAnswer(port, child)
  const took = performance.now() - start
  const cpu = cpuTimeOfTree(child.pid!)
  child.kill('SIGTERM')
  await ended
  return { count: 1, seconds: took / 1000, latencies: [took], ...(cpu && { cpu }) }
}
