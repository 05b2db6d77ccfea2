import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { must } from '../../lib/must.ts'
import { freePort } from '../../lib/network/free-port.ts'
import { lostTopic, type Packet, primaryNumber, Siblings } from '../../lib/siblings.ts'
import { cliLimits } from '../limits.ts'
import { type Assignment, tasks, workerVariable } from './assignment.ts'
import { watchLiveness } from './liveness.ts'
import { closeLostConnections } from './lost-connections.ts'
import { mustGo, Outbox } from './outbox.ts'

/** A worker. `early`: the primary's own packets for the time when it has begun to listen. */
type Slot = {
  worker: Worker
  outbox: Outbox
  early: Packet[] | undefined
  unsentBytes: number
  forkedAt: number
  failures: number
}

/**
 * The worker processes of a server, from its primary. A worker that ends is replaced under the same number. The primary
 * passes on what workers tell and ask each other; they share its port.
 */
export class WorkerProcesses {
  readonly siblings: Siblings
  private readonly count: number
  private readonly logger: Logger
  private readonly slots = new Map<number, Slot>()
  private readonly ends = new Set<Promise<void>>()
  private assignment: Assignment | undefined
  private port = 0
  private isListening = false
  private isStopping = false

  constructor(count: number, logger: Logger) {
    this.count = count
    this.logger = logger
    this.siblings = new Siblings(primaryNumber, count, (packet) => this.route(packet))
  }

  /** Starts all workers, which then refuse clients with a 503; returns their port. */
  async listen({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
    // A fixed port, which new workers find again even when all have ended.
    this.port = port === 0 ? await freePort(host) : port
    const numbers = Array.from({ length: this.count }, (_, i) => i + 1)
    for (const number of numbers) this.fork(number, 0)
    await Promise.all(numbers.map((number) => this.siblings.ask(number, tasks.listen, this.port)))
    this.isListening = true
    return this.port
  }

  /** Lets all workers serve. */
  async serve(assignment: Assignment) {
    // A worker that replaces another leaves the owner's link as it is.
    this.assignment = { ...assignment, ownerLink: { ...assignment.ownerLink, isFresh: true } }
    const numbers = [...this.slots.keys()]
    await Promise.all(numbers.map((number) => this.siblings.ask(number, tasks.serve, assignment)))
  }

  /** Stops all workers, and waits for their end. */
  async stop() {
    this.isStopping = true
    for (const number of this.slots.keys()) this.siblings.tell(tasks.stop, null, number)
    const late = guard(ignore, () => this.kill())
    const timer = setTimeout(late, cliLimits.workerStopSeconds * 1000)
    await Promise.all(this.ends)
    clearTimeout(timer)
  }

  private kill() {
    this.logger.error('workers did not stop in time, and are ended')
    for (const { worker } of this.slots.values()) worker.process.kill('SIGKILL')
  }

  private fork(number: number, failures: number) {
    const worker = cluster.fork({ [workerVariable]: String(number) })
    closeLostConnections(worker)
    const outbox = new Outbox((packets) => this.sendNow(slot, packets))
    const slot: Slot = { worker, outbox, early: [], unsentBytes: 0, forkedAt: performance.now(), failures }
    this.slots.set(number, slot)
    const take = guard(ignore, (packets: Packet[]) => {
      for (const packet of packets) {
        if (packet.topic === tasks.begun) this.sendEarly(number, slot)
        else this.route(packet)
      }
    })
    worker.on('message', take).on('error', ignore)
    const stopWatching = this.watch(number, slot)
    const ended = new Promise<void>((resolve) => {
      const leave = guard(ignore, (status: number, signal: string) => {
        resolve()
        stopWatching()
        this.ends.delete(ended)
        return this.lose(number, slot, signal ?? status)
      })
      worker.on('exit', leave)
    })
    this.ends.add(ended)
  }

  private watch(number: number, slot: Slot) {
    return watchLiveness({
      ask: () => this.siblings.ask(number, tasks.respond),
      isLoading: () => slot.early !== undefined,
      end: () => {
        this.logger.error({ worker: number }, 'a worker does not answer, and is ended')
        slot.worker.process.kill('SIGKILL')
      },
    })
  }

  /** Replaces a worker; after one that has ended soon, a while later. */
  private async lose(number: number, slot: Slot, reason: string | number) {
    this.slots.delete(number)
    this.siblings.lose(number)
    this.siblings.tell(lostTopic, number)
    if (this.isStopping || !this.isListening) return
    const isEarly = performance.now() - slot.forkedAt < cliLimits.workerLifeSeconds * 1000
    const failures = isEarly ? slot.failures + 1 : 0
    this.logger.error({ worker: number, reason }, 'a worker has ended, and is replaced')
    const wait = failures === 0 ? 0 : Math.min(2 ** (failures - 2), cliLimits.workerPauseSeconds)
    await sleep(wait * 1000)
    if (this.isStopping) return
    this.fork(number, failures)
    try {
      // Ask the worker to serve before it listens, so that no client comes too early.
      if (this.assignment) await this.siblings.ask(number, tasks.serve, this.assignment)
      await this.siblings.ask(number, tasks.listen, this.port)
      this.logger.info({ worker: number }, 'the new worker serves')
    } catch (error) {
      this.logger.error({ worker: number, err: error }, 'a new worker does not serve')
      this.slots.get(number)?.worker.process.kill('SIGKILL')
    }
  }

  private route(packet: Packet) {
    const { to, from } = packet
    if (to === primaryNumber) return this.siblings.receive(packet)
    if (to !== 'others') return this.send(to, packet)
    for (const number of this.slots.keys()) if (number !== from) this.send(number, packet)
    if (from !== primaryNumber) this.siblings.receive(packet)
  }

  /**
   * A message that a worker cannot take is dropped: it then reads the log by its slow poll, and questions fail. See
   * mustGo.
   */
  private send(number: number, packet: Packet) {
    const slot = this.slots.get(number)
    if (slot && this.takes(slot, packet)) {
      if (slot.early) return void slot.early.push(packet)
      slot.unsentBytes += packet.data?.length ?? 0
      slot.outbox.add(packet)
    } else if (packet.kind === 'ask') {
      this.fail(number, packet)
    }
  }

  private takes({ worker, early, unsentBytes }: Slot, packet: Packet): boolean {
    if (!worker.isConnected()) return false
    if (early) return packet.from === primaryNumber
    return mustGo(packet) || unsentBytes + (packet.data?.length ?? 0) <= cliLimits.workerUnsentBytes
  }

  private sendNow(slot: Slot, packets: Packet[]) {
    const sent = guard(ignore, () => {
      for (const { data } of packets) slot.unsentBytes -= data?.length ?? 0
    })
    slot.worker.send(packets, sent)
  }

  private sendEarly(number: number, slot: Slot) {
    const { early = [] } = slot
    slot.early = undefined
    for (const packet of early) this.send(number, packet)
  }

  private fail(number: number, { from, topic, id }: Packet) {
    const gone: Packet = { kind: 'gone', from: number, to: from, topic, id: must(id, 'number of a question') }
    if (from === primaryNumber) this.siblings.receive(gone)
    else this.send(from, gone)
  }
}
