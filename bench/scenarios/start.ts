import { spawn } from 'node:child_process'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import type { Result } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { dataDirectory } from '../database.ts'
import { median, percentiles } from '../measure.ts'
import { freePort } from '../processes.ts'
import { endOf, firstAnswer, home, serverEnvironment } from '../server.ts'

const viaNpm = ['npm', 'start']
const plain = [process.execPath, 'dist/main.js', 'serve']
const starts = 3

/**
 * From the command to the first answer, in a fresh copy of the sources: the very first start, which builds the program
 * and makes the database, and later ones.
 */
export async function measureStart(): Promise<Result> {
  const times = { first: [] as number[], again: [] as number[], plain: [] as number[] }
  for (let i = 0; i < starts; i++) {
    const clone = await freshClone()
    times.first.push(await timeToAnswer(viaNpm, clone))
    times.again.push(await timeToAnswer(viaNpm, clone))
    times.plain.push(await timeToAnswer(plain, clone))
    await rm(clone, { recursive: true })
  }
  return {
    rows: [
      { what: 'npm start, first ever', ...percentiles(times.first) },
      { what: 'npm start, again', ...percentiles(times.again) },
      { what: 'node dist/main.js serve, again', ...percentiles(times.plain) },
    ],
    findings: [
      {
        what: 'npm start, first ever',
        value: median(times.first) / 1000,
        unit: 's',
        budget: budgets.firstStart,
      },
      { what: 'npm start, again', value: median(times.again) / 1000, unit: 's', budget: budgets.start },
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

async function timeToAnswer([program, ...args]: string[], cwd: string): Promise<number> {
  const port = await freePort()
  const start = performance.now()
  const env = serverEnvironment(port, `${cwd}/data`)
  const child = spawn(program!, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = endOf(child)
  await firstAnswer(port, child)
  const took = performance.now() - start
  child.kill('SIGTERM')
  await ended
  return took
}
