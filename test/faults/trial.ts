import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { nodeOptions } from '../../scripts/bundle.mjs'
import { freePort } from '../../src/lib/network/free-port.ts'
import { settingNames } from '../command-line.ts'
import { newDatabase, type TestDatabase } from '../runner/database.ts'

/** The reports of the server on a fault, in each of its ways. */
export type Told = { ready: string; metrics: string; log: string; doctor: string }

type Line = { level: number; msg: string; component?: string; err?: { message: string } }

/** A server of its own, as an administrator runs it, beneath which a fault is made. */
export class Trial {
  readonly directory: string
  readonly database: TestDatabase
  readonly port: number
  readonly metricsPort: number
  settings: NodeJS.ProcessEnv
  /** Runs when the trial is over: undoes what the fault has changed. */
  readonly undo: (() => unknown)[] = []
  private child: ChildProcess | undefined
  private output = ''
  private logged = 0
  private metricsBefore = new Map<string, number>()

  private constructor(directory: string, database: TestDatabase, ports: [number, number]) {
    this.directory = directory
    this.database = database
    ;[this.port, this.metricsPort] = ports
    this.settings = {
      ROOKERY_DATA: directory,
      DATABASE_URL: database.url,
      PORT: String(this.port),
      ROOKERY_METRICS_PORT: String(this.metricsPort),
      ROOKERY_RATE_LIMITS: 'off',
    }
  }

  static async create(): Promise<Trial> {
    const directory = await mkdtemp(join(tmpdir(), 'rookery-fault-'))
    return new Trial(directory, await newDatabase(), [await freePort(), await freePort()])
  }

  /** Starts the server, and returns when it is ready or has ended. */
  async start() {
    const [child, ended] = this.spawn(['serve'])
    this.child = child
    const greeted = async () => {
      while (!/API key find one|earlier starts/.test(this.output)) await sleep(50)
    }
    await Promise.race([greeted(), ended, sleep(30_000)])
  }

  /** Notes the metrics and the log of a server that is well, so that only news is told later. */
  async noteCalm() {
    this.metricsBefore = await this.metrics()
    this.logged = this.lines().length
  }

  /** Stops the server. */
  async end() {
    await endProcess(this.child)
    this.output = ''
  }

  /** Lets the server run until the trial is over; the next one is started beside it. */
  detach() {
    const { child } = this
    this.child = undefined
    this.output = ''
    this.undo.push(() => endProcess(child))
  }

  get isRunning() {
    return isRunning(this.child)
  }

  signal(signal: NodeJS.Signals) {
    this.child?.kill(signal)
  }

  async close() {
    for (const undo of this.undo.reverse()) await undo()
    await endProcess(this.child)
    await this.database.drop()
    await rm(this.directory, { recursive: true, force: true })
  }

  /** Runs statements on the database, as its superuser. */
  async sql(...statements: string[]) {
    const client = new pg.Client({ connectionString: this.database.url })
    client.on('error', () => {})
    await client.connect()
    for (const statement of statements) await client.query(statement.replaceAll('{own}', this.database.name))
    await client.end()
  }

  /** Sends a request as the owner. */
  async ask(method: string, path: string, body?: Record<string, string> | FormData): Promise<number> {
    const [, email, key] = /email=(.*)\nkey=(.*)\n/.exec(
      await readFile(join(this.directory, 'zuliprc'), 'utf8'),
    )!
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
    return this.askAnyone(method, `/api/v1${path}`, body, { authorization })
  }

  /** Sends a request without a login; returns its status, 0 if there is no response. */
  async askAnyone(method: string, path: string, body?: Record<string, string> | FormData, headers = {}) {
    const signal = AbortSignal.timeout(15_000)
    const sent = body instanceof FormData ? body : body && new URLSearchParams(body)
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(sent && { body: sent }),
    }).catch(() => undefined)
    await answer?.body?.cancel()
    return answer?.status ?? 0
  }

  send = () =>
    this.ask('POST', '/messages', { type: 'direct', to: '["owner@example.com"]', content: 'hello' })

  upload = () => {
    const form = new FormData()
    form.set('file', new Blob(['x'.repeat(1000)]), 'notes.txt')
    return this.ask('POST', '/user_uploads', form)
  }

  logIn = (username = 'owner@example.com', password = 'guess') =>
    this.askAnyone('POST', '/api/v1/fetch_api_key', { username, password })

  /** Lets a mail be sent. */
  resetPassword = () =>
    this.askAnyone(
      'POST',
      '/accounts/password/reset',
      { email: 'owner@example.com' },
      { origin: `http://127.0.0.1:${this.port}` },
    )

  /** Returns the present reports, except those of doctor, which take longer. */
  async told(metrics?: RegExp): Promise<Omit<Told, 'doctor'>> {
    return { ready: await this.ready(), metrics: await this.metricsNews(metrics), log: this.logNews() }
  }

  /** Returns the findings of doctor that are not usual. */
  async doctor(usual: string[] = []): Promise<string[]> {
    const known = new Set(usual.map(withoutNumbers))
    const lines = (await this.doctorLines()).map((line) => this.plain(line))
    return lines.filter((line) => !known.has(withoutNumbers(line)))
  }

  private async ready(): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/health/ready`, {
      signal: AbortSignal.timeout(9_000),
    }).catch(() => undefined)
    if (!answer) return 'no response'
    const { status, checks = {} } = (await answer.json()) as {
      status: string
      checks?: Record<string, string>
    }
    if (answer.status === 200) return '200'
    const failed = Object.keys(checks).filter((name) => checks[name] === 'failed')
    return failed.length > 0 ? `${answer.status}: ${failed.join(', ')}` : `${answer.status}: ${status}`
  }

  private async metrics(): Promise<Map<string, number>> {
    const answer = await fetch(`http://127.0.0.1:${this.metricsPort}/metrics`, {
      signal: AbortSignal.timeout(9_000),
    }).catch(() => undefined)
    const text = (await answer?.text().catch(() => '')) ?? ''
    const found = [...text.matchAll(/^(\w+(?:\{.*\})?) ([\d.e+-]+)$/gm)]
    return new Map(found.map(([, name, value]) => [name!, Number(value)]))
  }

  private async metricsNews(wanted?: RegExp): Promise<string> {
    const now = await this.metrics()
    if (now.size === 0) return 'no response'
    const news: string[] = []
    const rose = (name: string) => now.get(name)! > (this.metricsBefore.get(name) ?? 0)
    for (const [name, value] of now) {
      const short = name.replace(/^rookery_/, '')
      if (/^rookery_health_check/.test(name) && value === 0) news.push(`${short} 0`)
      if (/^rookery_failures_total/.test(name) && rose(name)) news.push(`${short} rises`)
      if (wanted?.test(`${name} ${value}`))
        news.push(/_total/.test(name) ? `${short} rises` : `${short} ${value}`)
    }
    const isAbsent = this.metricsBefore.has('rookery_log_position') && !now.has('rookery_log_position')
    const rounded = news.map((text) => text.replace(/(\d+\.\d)\d+/g, '$1'))
    return [...rounded, ...(isAbsent ? ['jobs, mails, log: absent'] : [])].join('; ')
  }

  private lines(): Line[] {
    const lines = this.output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
    return lines.map((line) => JSON.parse(line))
  }

  private logNews(): string {
    const news = this.lines()
      .slice(this.logged)
      .filter(({ level }) => level >= 40)
    const hasStarted = this.output.includes('Rookery serves')
    const said =
      this.isRunning || hasStarted
        ? []
        : this.output.split('\n').filter((line) => line && !line.startsWith('{'))
    const texts = [...news.map(({ msg, err }) => (err ? `${msg}: ${err.message}` : msg)), ...said.slice(-1)]
    return this.plain([...new Set(texts.map((text) => text.slice(0, 220)))].slice(0, 2).join('; '))
  }

  private async doctorLines(): Promise<string[]> {
    const [, ended] = this.spawn(['doctor'])
    const output = await ended
    const lines = output.split('\n')
    const findings = lines
      .filter((line) => /^(warn|FAIL) /.test(line))
      .map((line) => line.replace(/ {2,}/, ' '))
    // Doctor may refuse the settings before it checks anything.
    return findings.length > 0 || output.startsWith('ok') ? findings : lines.filter((line) => line !== '')
  }

  /** Runs a command; returns the process, and its output when it has ended. */
  private spawn(words: string[]): [ChildProcess, Promise<string>] {
    const others = Object.entries(process.env).filter(([name]) => !settingNames.includes(name))
    const child = spawn(process.execPath, [...nodeOptions, inject('program'), ...words], {
      env: { ...Object.fromEntries(others), ...this.settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (words[0] === 'serve') this.output += text
      })
    }
    return [child, new Promise((resolve) => child.once('close', () => resolve(output)))]
  }

  /** Without what differs from run to run. */
  private plain(text: string): string {
    return text
      .replaceAll(this.directory, 'DATA')
      .replaceAll(this.database.name, 'rookery')
      .replaceAll(String(this.port), 'PORT')
      .replaceAll(String(this.metricsPort), 'METRICS_PORT')
      .replaceAll(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:…')
      .replaceAll(/(uploads|doctor)\/[\w/-]{20,}/g, '$1/…')
      .replaceAll(/(session|process) \d+/g, '$1 …')
  }
}

function isRunning(child: ChildProcess | undefined) {
  return child !== undefined && child.exitCode === null && child.signalCode === null
}

async function endProcess(child: ChildProcess | undefined) {
  if (!child || !isRunning(child)) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(force)
}

/** So that “5.3 GiB free” is no news after “5.4 GiB free”. */
function withoutNumbers(line: string): string {
  return line.replace(/\d+(\.\d+)?/g, 'N')
}
