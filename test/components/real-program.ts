import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A directory for a program's files, and what it does with them. */
export function directoryFor(name: string) {
  const path = mkdtempSync(join(tmpdir(), `rookery-${name}-`))
  chmodSync(path, 0o755)
  return {
    path,
    write(file: string, text: string) {
      writeFileSync(join(path, file), text, { mode: 0o644 })
      return join(path, file)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** A real program that serves a port until it is stopped. */
export async function startProgram(
  [program = '', ...words]: string[],
  port: number,
  environment: NodeJS.ProcessEnv = {},
) {
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const ended = once(child, 'exit')
  for (let tries = 0; tries < 1_500 && child.exitCode === null; tries++) {
    if (await listens(port)) {
      return {
        said: () => said.join(''),
        async stop() {
          child.kill('SIGTERM')
          await ended
        },
      }
    }
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`${program} does not listen on ${port}: ${said.join('')}`)
}

async function listens(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  const answer = await Promise.race([once(socket, 'connect').then(() => true), sleep(1_000, false)]).catch(
    () => false,
  )
  socket.destroy()
  return answer
}
