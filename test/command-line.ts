import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, vi } from 'vitest'
import { nodeOptions } from '../scripts/bundle.mjs'
import { commands } from '../src/cli/commands.ts'
import { run } from '../src/cli/run.ts'
import { settings } from '../src/config/config.ts'
import { closeConnections } from './http.ts'
import { Caller, type Person, personWith } from './person.ts'
import { atEndOfFile } from './runner/end-of-file.ts'

/** The variables of the server, which a test does not inherit from the user who runs it. */
export const settingNames = Object.values(settings).map(({ name }) => name as string)

type Ended = { status: number | null; stdout: string; stderr: string }

/** A command under way: its end, after its input, if any, or after a signal. */
type Running = Promise<Ended> & {
  /** What it has written so far. */
  readonly output: Readonly<Pick<Ended, 'stdout' | 'stderr'>>
  type(text: string): Promise<Ended>
  kill(signal?: NodeJS.Signals): Promise<Ended>
}

/** Runs the words, split at spaces; an argument that holds spaces goes into `more`. */
export function rookery(words: string, environment: NodeJS.ProcessEnv = {}, ...more: string[]): Running {
  const { child, output } = launch([...words.split(' '), ...more], environment)
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (status) => resolve({ status, stdout: output.stdout, stderr: output.stderr })),
  )
  return Object.assign(ended, {
    output,
    type(text: string) {
      child.stdin!.end(text)
      return ended
    },
    kill(signal: NodeJS.Signals = 'SIGKILL') {
      child.kill(signal)
      return ended
    },
  })
}

/** Runs a command in this process, which is quicker. A text is split at spaces. */
export async function runHere(words: string | string[], environment: NodeJS.ProcessEnv = {}) {
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += text
      return true
    }),
  )
  try {
    const split = typeof words === 'string' ? words.split(' ') : words
    const status = await run(commands, split, atFreePort(split, environment))
    return { status, ...output }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** The process ends with the test file at the latest, even if its start fails or takes too long. */
function launch(words: string[], environment: NodeJS.ProcessEnv) {
  const others = Object.entries(process.env).filter(([name]) => !settingNames.includes(name))
  const child = spawn(process.execPath, [...nodeOptions, inject('program'), ...words], {
    env: { ...Object.fromEntries(others), ROOKERY_LOG_LEVEL: 'warn', ...atFreePort(words, environment) },
  })
  atEndOfFile(() => end(child, 'SIGTERM'))
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  return { child, output }
}

/** A server of a test listens at a free port: the usual one may be taken on the machine. */
function atFreePort([command]: string[], environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return command === 'serve' ? { PORT: '0', ...environment } : environment
}

/** A server that runs as an admin's does, and the commands beside it. */
export class Server {
  readonly port: number
  /** The output of the server when it has started. */
  readonly stdout: string
  /** The environment of commands beside it: where to find the rest. */
  readonly environment: NodeJS.ProcessEnv
  readonly directory: string
  private readonly child: ChildProcess

  private readonly output: { stdout: string }

  constructor(child: ChildProcess, output: { stdout: string }, directory: string) {
    this.child = child
    this.output = output
    this.stdout = output.stdout
    this.port = Number(/http:\/\/localhost:(\d+)/.exec(this.stdout)![1])
    this.directory = directory
    this.environment = { ROOKERY_DATA: directory }
  }

  rookery(words: string, ...more: string[]): Running {
    return rookery(words, this.environment, ...more)
  }

  /** Returns its log so far, line by line. */
  get logged(): Record<string, unknown>[] {
    const lines = this.output.stdout.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
    return lines.map((line) => JSON.parse(line))
  }

  signal(signal: NodeJS.Signals) {
    this.child.kill(signal)
  }

  /** Returns its exit status. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    await end(this.child, signal)
    return this.child.exitCode
  }
}

export async function startServer(environment: NodeJS.ProcessEnv): Promise<Server> {
  const { child, output } = launch(['serve'], environment)
  // Servers wait for connections that are kept.
  atEndOfFile(closeConnections)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => /API key find one|earlier starts/.test(output.stdout) && resolve())
    child.once('close', () => reject(new Error(`The server has ended: ${output.stderr}`)))
  })
  return new Server(child, output, environment.ROOKERY_DATA!)
}

const patienceMs = 60_000

/** Ends a process, if it runs: by force if it ignores the signal. */
async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill(signal)
  const force = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await ended
  clearTimeout(force)
}

/** A monitor's token for servers that are started with it as ROOKERY_METRICS_TOKEN. */
export const metricsToken = 'token-of-the-monitor'

/** Returns the metrics of a server that has the token. */
export async function metricsOf({ place }: Pick<Person, 'place'>): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  return (await new Caller(place).raw({ method: 'GET', path: '/metrics', headers })).text
}

/** Returns the value of one metric of such a server, with its labels as they are written; 0 if it is not there. */
export async function metricOf(person: Pick<Person, 'place'>, name: string): Promise<number> {
  const line = (await metricsOf(person)).split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}

/** Returns how many long polls wait at such a server. */
export function openPolls(person: Pick<Person, 'place'>): Promise<number> {
  return metricOf(person, 'rookery_open_polls')
}

/** Returns the user whose key is in a zuliprc, in the organization that it names. */
export async function personOf({ port }: Server, text: string): Promise<Person> {
  const [, email, key, site] = /\[api\]\nemail=(.*)\nkey=(.*)\nsite=(.*)\n/.exec(text)!
  const place = { port, host: new URL(site!).host }
  return personWith(place, email!, key!)
}

export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rookery-cli-'))
  atEndOfFile(() => rm(directory, { recursive: true, force: true }))
  return directory
}
