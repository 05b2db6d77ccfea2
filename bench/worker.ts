import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The jobs that a process of its own does for the benchmark, by name. */
type Jobs = Record<string, (input: never) => Promise<unknown>>

type Input<J extends Jobs, Name extends keyof J> = Parameters<J[Name]>[0]
type Output<J extends Jobs, Name extends keyof J> = Awaited<ReturnType<J[Name]>>

/** A process that does one job after the other; its file calls `doJobs`. */
export class Worker<J extends Jobs> {
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  private count = 0

  /** `file`: its path from this folder. */
  constructor(file: string) {
    const path = fileURLToPath(new URL(file, import.meta.url))
    this.child = fork(path, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.child.on('message', (answer: { id: number; value?: unknown; error?: string }) => {
      const asked = this.waiting.get(answer.id)
      this.waiting.delete(answer.id)
      if (answer.error === undefined) asked?.resolve(answer.value)
      else asked?.reject(new Error(answer.error))
    })
    this.child.on('exit', (code) => {
      for (const { reject } of this.waiting.values()) reject(new Error(`${file} ended with ${code}`))
    })
  }

  get pid() {
    return this.child.pid!
  }

  do<Name extends keyof J & string>(name: Name, input: Input<J, Name>): Promise<Output<J, Name>> {
    const id = ++this.count
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.child.send({ id, name, input })
    })
  }

  stop() {
    this.child.kill()
  }
}

/** The worker's side: runs the jobs that arrive, and ends with the process that sends them. */
export function doJobs(jobs: Jobs) {
  process.on('message', async ({ id, name, input }: { id: number; name: string; input: never }) => {
    try {
      process.send!({ id, value: await jobs[name]!(input) })
    } catch (error) {
      process.send!({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
}
