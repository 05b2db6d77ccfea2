import { write, writeSync } from 'node:fs'
import { type Logger, type LoggerOptions, pino } from 'pino'
import { systemMilliseconds } from '../../lib/clock.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { cliLimits } from '../limits.ts'

const stdout = 1

/** Milliseconds after which a failed write is tried again. */
const pauseMs = 100

/**
 * Returns the log of the server, which goes to stdout. The server goes on while that takes nothing, as on a full disk or after its
 * terminal has closed. pino's own output ends the process then, and waits for room before.
 */
export function serverLog(options: LoggerOptions): Logger {
  const output = new LogOutput()
  process.on(
    'exit',
    guard(ignore, () => output.flushSync()),
  )
  return pino(options, output)
}

/** Writes lines in their order, without waiting for them. Those that fail are kept, up to a limit, and tried again. */
class LogOutput {
  /** The bytes that are being written, or whose write failed. */
  private piece = Buffer.alloc(0)
  private lines: string[] = []
  private waiting = 0
  private leftOut = 0
  private state: 'idle' | 'writing' | 'pausing' = 'idle'

  write(line: string) {
    if (this.waiting + line.length > cliLimits.logWaitingLength) {
      this.leftOut++
      return
    }
    this.lines.push(line)
    this.waiting += line.length
    this.writeNext()
  }

  /** Writes what waits, before the process ends. pino calls it after a fatal error. */
  flushSync() {
    const isWriting = this.state === 'writing'
    let rest = isWriting ? this.takeLines() : Buffer.concat([this.piece, this.takeLines()])
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(stdout, rest))
    } catch {
      // Tried again, if the process goes on for a while.
    }
    if (!isWriting) this.piece = rest
  }

  private writeNext() {
    if (this.state !== 'idle') return
    if (this.piece.length === 0) this.piece = this.takeLines()
    if (this.piece.length === 0) return
    this.state = 'writing'
    const done = guard(ignore, (error: Error | null, bytes: number) => {
      if (error) return this.tryAgain()
      this.piece = this.piece.subarray(bytes)
      this.state = 'idle'
      this.writeNext()
    })
    write(stdout, this.piece, done)
  }

  private tryAgain() {
    this.state = 'pausing'
    const again = guard(ignore, () => {
      this.state = 'idle'
      this.writeNext()
    })
    setTimeout(again, pauseMs).unref()
  }

  private takeLines(): Buffer<ArrayBuffer> {
    if (this.leftOut > 0) this.lines.push(leftOutLine(this.leftOut))
    const taken = Buffer.from(this.lines.join(''))
    this.lines = []
    this.waiting = 0
    this.leftOut = 0
    return taken
  }
}

function leftOutLine(leftOut: number): string {
  const msg = 'lines of the log were left out, as stdout took none'
  return `${JSON.stringify({ level: 40, time: systemMilliseconds(), leftOut, msg })}\n`
}
