import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/lib/network/free-port.ts'

/** The real NATS server, as a process of its own. */
export class Nats {
  readonly url: string
  private readonly program: string
  private readonly port: number
  private child: ChildProcess | undefined
  private readonly killAtEnd = () => this.child?.kill('SIGKILL')

  private constructor(program: string, port: number) {
    this.program = program
    this.port = port
    this.url = `nats://127.0.0.1:${port}`
    process.once('exit', this.killAtEnd)
  }

  /** Undefined if the program is neither on the path nor at TEST_NATS_SERVER. */
  static async start(): Promise<Nats | undefined> {
    const program = process.env.TEST_NATS_SERVER ?? onPath('nats-server')
    if (program === undefined) return undefined
    const nats = new Nats(program, await freePort())
    await nats.start()
    return nats
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  async start() {
    const child = spawn(this.program, ['-a', '127.0.0.1', '-p', String(this.port)], { stdio: 'ignore' })
    this.child = child
    while (!(await this.answers())) {
      if (child.exitCode !== null) throw new Error(`${this.program} ended with ${child.exitCode}`)
      await sleep(10)
    }
  }

  /** Ends it without notice. */
  async kill() {
    const { child } = this
    this.child = undefined
    if (!child || child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1')
      const settle = (does: boolean) => {
        socket.destroy()
        resolve(does)
      }
      socket.once('connect', () => settle(true)).once('error', () => settle(false))
    })
  }
}

function onPath(program: string): string | undefined {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
