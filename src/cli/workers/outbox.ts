import { guard, ignore } from '../../lib/guard.ts'
import { lostTopic, type Packet } from '../../lib/siblings.ts'
import { tasks } from './assignment.ts'

const always: string[] = [lostTopic, tasks.respond, tasks.stop]

/**
 * Whether a worker must receive it, however much waits to be sent there: an answer, that a worker ends, or a question
 * whose answer keeps it from being ended.
 */
export function mustGo({ kind, topic }: Packet): boolean {
  return (kind !== 'tell' && kind !== 'ask') || always.includes(topic)
}

/** Gathers the packets of one turn of the event loop, as each message between processes costs more than what it carries. */
export class Outbox {
  private readonly send: (packets: Packet[]) => void
  private waiting: Packet[] = []

  constructor(send: (packets: Packet[]) => void) {
    this.send = send
  }

  add(packet: Packet) {
    this.waiting.push(packet)
    if (this.waiting.length === 1) setImmediate(this.flushSoon)
  }

  private readonly flushSoon = guard(ignore, () => {
    const packets = this.waiting
    this.waiting = []
    this.send(packets)
  })
}
