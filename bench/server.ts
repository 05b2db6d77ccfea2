import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../src/lib/network/free-port.ts'
import { serverDirectory } from './database.ts'
import { RawConnection, rawRequest } from './raw-client.ts'

/** The repository. */
export const home = fileURLToPath(new URL('../', import.meta.url))

export type RunningServer = {
  port: number
  pid: number
  stop(): Promise<void>
  /** Ends it as a loss of power would. */
  kill(): Promise<void>
}

type ServerOptions = {
  /** A directory for a processor profile (*.cpuprofile), which is written when the server stops. */
  profile?: string | undefined
  /** The name of its data directory: two servers that run at the same time need two. */
  data?: string
  environment?: NodeJS.ProcessEnv
}

/** Starts what was built, as `npm start` does, on a database, as a process of its own, without rate limits. */
export async function startServer(
  databaseUrl: string,
  { profile, data: name = 'server', environment = {} }: ServerOptions = {},
): Promise<RunningServer> {
  const port = await freePort()
  const data = `${serverDirectory}${name}`
  await mkdir(data, { recursive: true })
  const child = spawn(process.execPath, [...profileOptions(profile), ...(await startArguments())], {
    cwd: home,
    env: { ...serverEnvironment(port, data), DATABASE_URL: databaseUrl, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Warnings and errors, not the greeting.
  child.stdout!.on('data', (text: Buffer) => text.includes('"level":') && process.stderr.write(text))
  return running(port, child)
}

/** Starts what was built in this environment, with these options of Node, and waits until it responds. */
export async function serve(
  port: number,
  environment: NodeJS.ProcessEnv,
  options: string[] = [],
): Promise<RunningServer> {
  const child = spawn(process.execPath, [...options, program, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // What Node says of an inspector is no news.
  child.stderr!.on('data', (text: Buffer) => /^Debugger /.test(String(text)) || process.stderr.write(text))
  return running(port, child)
}

/** Options of Node for a processor profile in a directory. */
export function profileOptions(profile: string | undefined): string[] {
  return profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
}

/** Waits until a server responds. It ends with this process, at the latest. */
async function running(port: number, child: ChildProcess): Promise<RunningServer> {
  const ended = endOf(child)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  await firstAnswer(port, child)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
    process.off('exit', kill)
  }
  return { port, pid: child.pid!, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

/** Runs a command of the built program. Returns its output. */
export async function runCommand(words: string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...serverEnvironment(0, ''), ROOKERY_DATA: '', HOST: '', PORT: '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) said += text
  const status = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)))
  if (status !== 0) throw new Error(`rookery ${words.join(' ')} ended with ${status}`)
  return said.trim()
}

const program = `${home}dist/main.js`

/** Those with which `npm start` runs Node. */
async function startArguments(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(`${home}package.json`, 'utf8'))
  return scripts.start.replace(/^exec node /, '').split(' ')
}

/** This process's environment, but of Rookery's settings only these. */
export function serverEnvironment(port: number, data: string): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(
    ([name]) => !/^ROOKERY_|^(DATABASE_URL|HOST|PORT)$/.test(name),
  )
  return {
    ...Object.fromEntries(plain),
    HOST: '127.0.0.1',
    PORT: String(port),
    ROOKERY_DATA: data,
    ROOKERY_RATE_LIMITS: 'off',
    ROOKERY_LOG_LEVEL: 'warn',
    npm_config_loglevel: 'error',
  }
}

/** Waits until the server responds to a client's first request; rejects if its process ends before. */
export async function firstAnswer(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const connection = await RawConnection.open(port)
      const { status } = await connection.ask(rawRequest('GET', '/api/v1/server_settings'))
      connection.close()
      if (status === 200) return
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}`)
}

export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('error', () => resolve()).once('exit', () => resolve())
  })
}
