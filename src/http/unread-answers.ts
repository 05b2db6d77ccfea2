import type { ServerResponse } from 'node:http'
import { guard, ignore } from '../lib/guard.ts'

/** What smaller answers hold lies with the system as a rule, and cannot become much. In bytes. */
export const largeFrom = 256 * 1024

/**
 * The large answers of a node that are in its memory until their clients have read them. Where they become too much, the
 * oldest go, with their connections: those who do not read hold their answers for longest.
 */
export class UnreadAnswers {
  private readonly most: number
  private readonly sizes = new Map<ServerResponse, number>()
  private total = 0

  /** `most`: the bytes that they may have together. */
  constructor(most: number) {
    this.most = most
  }

  /** Counts an answer that is about to be sent, until it has been read or its client has gone. */
  add(answer: ServerResponse, bytes: number) {
    if (bytes < largeFrom || answer.destroyed) return
    this.sizes.set(answer, bytes)
    this.total += bytes
    const remove = guard(ignore, () => this.remove(answer))
    answer.once('close', remove)
    for (const oldest of this.sizes.keys()) {
      if (this.total <= this.most || oldest === answer) return
      this.remove(oldest)
      oldest.destroy()
    }
  }

  private remove(answer: ServerResponse) {
    this.total -= this.sizes.get(answer) ?? 0
    this.sizes.delete(answer)
  }
}
