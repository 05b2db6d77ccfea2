/** Work of which there is only so much at once, and only so much for each caller. The rest waits, first come, first served. */
export class Turns {
  private readonly atOnce: number
  private readonly each: number
  private readonly underWay = new Set<{ caller: string }>()
  private readonly waiting = new Set<Waiting>()

  constructor(atOnce: number, each: number) {
    this.atOnce = atOnce
    this.each = each
  }

  /** Resolves when it is the caller's turn, with what ends it; rejects after so many seconds, and on the signal. */
  take(caller: string, seconds: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.waiting.delete(waiting)
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
      const leave = () => {
        stop()
        reject(new Error('The turn did not come in time'))
      }
      const begin = () => {
        stop()
        resolve(this.begin(caller))
      }
      const waiting = { caller, begin }
      const timer = setTimeout(leave, seconds * 1000)
      signal.addEventListener('abort', leave)
      this.waiting.add(waiting)
      if (signal.aborted) leave()
      else this.call()
    })
  }

  private begin(caller: string) {
    const turn = { caller }
    this.underWay.add(turn)
    return () => {
      if (this.underWay.delete(turn)) this.call()
    }
  }

  private call() {
    for (const { caller, begin } of this.waiting) {
      if (this.underWay.size >= this.atOnce) return
      if (this.turnsOf(caller) < this.each) begin()
    }
  }

  private turnsOf(caller: string) {
    let turns = 0
    for (const turn of this.underWay) if (turn.caller === caller) turns += 1
    return turns
  }
}

type Waiting = { caller: string; begin(): void }
