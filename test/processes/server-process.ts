import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, vi } from 'vitest'
import { nodeOptions } from '../../scripts/bundle.mjs'
import { settings } from '../../src/config/config.ts'
import { freePort } from '../../src/lib/network/free-port.ts'
import { signal } from '../../src/postgres/processes.ts'
import type { Place } from '../http.ts'
import { Caller, type Person, personWith } from '../person.ts'
import { newDatabase } from '../runner/database.ts'
import { atEndOfFile } from '../runner/end-of-file.ts'

/** The server as an admin runs it: a process with a data directory of its own. */
export class ServerProcess {
  readonly directory: string
  readonly place: Place
  /** Its latest output. */
  output = ''
  private child: ChildProcess | undefined

  private readonly settings: NodeJS.ProcessEnv

  private constructor(directory: string, port: number, settings: NodeJS.ProcessEnv) {
    this.directory = directory
    this.settings = settings
    this.place = { port, host: `localhost:${port}` }
  }

  /** Creates one that is ready; with these settings beside its own, and by default on a new database of the tests. */
  static async create(settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    if (settings.DATABASE_URL) return ServerProcess.withPostgres(settings)
    const database = await newDatabase()
    atEndOfFile(() => database.drop())
    return ServerProcess.withPostgres({ ...settings, DATABASE_URL: database.url })
  }

  /** Creates one with a PostgreSQL of its own, unless the settings name a database. */
  static async withPostgres(settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    const directory = await mkdtemp(join(tmpdir(), 'rookery-process-'))
    const server = new ServerProcess(directory, await freePort(), settings)
    // This also runs if the start fails or takes too long.
    atEndOfFile(() => server.remove())
    await server.start()
    return server
  }

  /** Returns the owner of its organization, by the key that it has made for them. */
  owner(): Promise<Person> {
    const [, email, key] = /email=(.*)\nkey=(.*)\n/.exec(
      readFileSync(join(this.directory, 'zuliprc'), 'utf8'),
    )!
    return personWith(this.place, email!, key!)
  }

  /** Starts it, again after a kill, and waits until it responds. */
  async start() {
    const child = spawn(process.execPath, [...nodeOptions, inject('program'), 'serve'], {
      env: this.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        this.output = (this.output + text).slice(-5_000)
      })
    }
    this.child = child
    await vi.waitFor(() => this.answers(), { timeout: 120_000, interval: 20 })
  }

  get isRunning() {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  get databaseUrl() {
    if (this.settings.DATABASE_URL) return this.settings.DATABASE_URL
    return readFileSync(join(this.directory, 'postgres.url'), 'utf8').trim()
  }

  /** Ends the server's own process immediately, and only that. */
  async kill() {
    if (!this.isRunning) throw new Error(`The server has ended already:\n${this.output}`)
    const ended = new Promise((resolve) => this.child!.once('exit', resolve))
    this.child!.kill('SIGKILL')
    await ended
  }

  /** Lets the server's own process do nothing until it is resumed. */
  pause() {
    this.child!.kill('SIGSTOP')
  }

  resume() {
    this.child!.kill('SIGCONT')
  }

  /** Returns PostgreSQL's first process. */
  get postmaster() {
    return postmasterOf(this.directory)
  }

  /** Returns PostgreSQL's other processes, with their titles. */
  get postgresChildren() {
    return postgresChildren(this.directory)
  }

  signalPostgres(name: NodeJS.Signals) {
    for (const pid of [this.postmaster, ...this.postgresChildren.map(({ pid }) => pid)]) signal(pid, name)
  }

  /** Stops it in order; returns its status. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.child!.once('exit', resolve))
    this.child!.kill('SIGTERM')
    return ended
  }

  /** Stops it in order and removes its data. */
  async remove() {
    if (this.isRunning) await this.stop()
    else if (existsSync(this.pidFile)) this.signalPostgres('SIGKILL')
    await rm(this.directory, { recursive: true, force: true })
  }

  private get pidFile() {
    return join(this.directory, 'postgres/postmaster.pid')
  }

  private async answers() {
    if (!this.isRunning) throw new Error(`The server has ended:\n${this.output}`)
    expect((await new Caller(this.place).get('/server_settings')).status).toBe(200)
  }

  private environment(): NodeJS.ProcessEnv {
    // Not those of the user who runs the test.
    const names: string[] = Object.values(settings).map(({ name }) => name)
    const others = Object.entries(process.env).filter(([name]) => !names.includes(name))
    return {
      ...Object.fromEntries(others),
      PORT: String(this.place.port),
      ROOKERY_DATA: this.directory,
      ROOKERY_RATE_LIMITS: 'off',
      ROOKERY_LOG_LEVEL: 'error',
      ...this.settings,
    }
  }
}

/** The first process of the PostgreSQL in a data directory. */
export function postmasterOf(directory: string) {
  return Number.parseInt(readFileSync(join(directory, 'postgres/postmaster.pid'), 'utf8'), 10)
}

/** Returns its other processes, with their titles. */
export function postgresChildren(directory: string) {
  const postmaster = postmasterOf(directory)
  return processes().filter(({ parent }) => parent === postmaster)
}

/** All processes of this machine. */
function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        const title = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ pid: Number(name), parent, title }]
      } catch {
        return [] // it has ended meanwhile
      }
    })
}
