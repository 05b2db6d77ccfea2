import { execFile, spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Result } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { dataDirectory } from '../database.ts'
import { median, percentiles } from '../measure.ts'
import { descendantsOf, freePort, nameOf } from '../processes.ts'
import { endOf, firstAnswer, home, serverEnvironment } from '../server.ts'

const commands = {
  'npm start': ['npm', 'start'],
  'node dist/main.js': [process.execPath, 'dist/main.js', 'serve'],
} as const

/** From the command to the first answer: in a directory that the server has never seen, and in one that it knows. */
export async function measureStart(): Promise<Result> {
  const data = `${dataDirectory}start`
  const times = { first: [] as number[], plain: [] as number[], npm: [] as number[] }
  for (let i = 0; i < 3; i++) {
    await rm(data, { recursive: true, force: true })
    await mkdir(data, { recursive: true })
    times.first.push(await timeToAnswer('npm start', data))
    times.plain.push(await timeToAnswer('node dist/main.js', data))
    times.npm.push(await timeToAnswer('npm start', data))
  }
  await rm(data, { recursive: true, force: true })
  const build = await timeToBuild()
  return {
    rows: [
      { what: 'npm start, first ever', ...percentiles(times.first) },
      { what: 'npm start, again', ...percentiles(times.npm) },
      { what: 'node dist/main.js serve, again', ...percentiles(times.plain) },
      { what: '  building from nothing', ...percentiles([build]) },
    ],
    findings: [
      { what: 'npm start, again', value: median(times.npm) / 1000, unit: 's', budget: budgets.start },
      {
        what: 'npm start, first ever, with building',
        value: (median(times.first) + build) / 1000,
        unit: 's',
        budget: budgets.firstStart,
      },
    ],
  }
}

async function timeToAnswer(name: keyof typeof commands, data: string): Promise<number> {
  const port = await freePort()
  const [program, ...args] = commands[name]
  const start = performance.now()
  const child = spawn(program, args, {
    cwd: home,
    env: serverEnvironment(port, data),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = endOf(child)
  await firstAnswer(port, child)
  const took = performance.now() - start
  // npm and its shell do not reliably pass signals on.
  const server = [child.pid!, ...descendantsOf(child.pid!)].findLast((pid) =>
    nameOf(pid).includes('dist/main.js serve'),
  )
  process.kill(server!, 'SIGTERM')
  await ended
  return took
}

async function timeToBuild(): Promise<number> {
  const out = `${dataDirectory}build`
  const start = performance.now()
  await promisify(execFile)(
    'npx',
    [...['tsc', '-p', 'tsconfig.build.json', '--outDir', out, '--tsBuildInfoFile', `${out}/.tsbuildinfo`]],
    { cwd: home },
  )
  const took = performance.now() - start
  await rm(out, { recursive: true })
  return took
}
