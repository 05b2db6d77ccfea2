import type { ServerResponse } from 'node:http'
import { guard, ignore } from '../../lib/guard.ts'

/** Responses of at least this many bytes are tracked. Smaller ones normally fit in the kernel's socket buffer. */
export const largeFrom = 256 * 1024

/**
 * Tracks the large responses in a node's memory until their clients have read them. When they exceed the limit, the
 * oldest are dropped with their connections: clients that do not read hold their responses for longest.
 */
export class UnreadAnswers {
  private readonly most: number
  private readonly sizes = new Map<ServerResponse, number>()
  private total = 0

  /** `most`: the total bytes of tracked responses. */
  constructor(most: number) {
    this.most = most
  }

  /** Counts a response that is about to be sent, until the client has read it or has disconnected. */
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
