import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/lib/network/free-port.ts'
import { serverKey, validCertificate } from './certificates.ts'
import { runSmallNats } from './small-nats.ts'

export type NatsServerOptions = {
  /** Which clients it accepts; by default all. */
  user?: { name: string; password: string; mayNot?: 'publish' | 'subscribe' }
  token?: string
  /** Whether it wants TLS, with the tests' certificate. */
  tls?: boolean
}

/**
 * A NATS server on a port of its own, as far as our client needs one. With TEST_NATS_SERVER=/path/to/nats-server it is the
 * real program.
 */
export class NatsServer {
  readonly port: number
  private readonly options: NatsServerOptions
  private running: Running | undefined

  private constructor(port: number, options: NatsServerOptions) {
    this.port = port
    this.options = options
  }

  static async start(options: NatsServerOptions = {}) {
    const server = new NatsServer(await freePort(), options)
    await server.start()
    return server
  }

  get url() {
    return `nats://127.0.0.1:${this.port}`
  }

  async start() {
    const program = process.env.TEST_NATS_SERVER
    const { port, options } = this
    this.running = program ? await runProgram(program, port, options) : await runSmallNats(port, options)
  }

  /** Ends it without notice. */
  async kill() {
    await this.running?.kill()
    this.running = undefined
  }

  /** From now on it accepts connections, but neither reads nor responds. */
  freeze() {
    this.running!.freeze()
  }
}

/** A running server, until it is killed. */
export type Running = { kill(): Promise<void>; freeze(): void }

async function runProgram(program: string, port: number, options: NatsServerOptions): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'rookery-nats-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  const { user, token, tls } = options
  const { name, password, mayNot } = user ?? {}
  const permissions = mayNot && { [mayNot]: { deny: 'rookery.>' } }
  const authorization = user ? { users: [{ user: name, password, permissions }] } : token && { token }
  const cert_file = file('certificate.pem', validCertificate)
  const secure = tls ? { cert_file, key_file: file('key.pem', serverKey) } : undefined
  const settings = { listen: `127.0.0.1:${port}`, authorization, tls: secure }
  const child = spawn(program, ['-c', file('nats.conf', JSON.stringify(settings))], { stdio: 'ignore' })
  await untilListening(child, port)
  return {
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(directory, { recursive: true })
    },
    freeze: () => child.kill('SIGSTOP'),
  }
}

async function untilListening(child: ChildProcess, port: number) {
  while (!(await fetch(`http://127.0.0.1:${port}`).catch((error) => error.cause?.code !== 'ECONNREFUSED'))) {
    if (child.exitCode !== null) throw new Error('nats-server did not start')
    await sleep(20)
  }
}
