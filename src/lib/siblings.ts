import { randomInt } from 'node:crypto'
import { ApiError } from './api-error.ts'
import { codeOf, constraintOf, messageOf } from './errors.ts'
import { guard, ignore } from './guard.ts'
import { must } from './must.ts'

/** The number of the process that starts the workers; theirs begin with 1. */
export const primaryNumber = 0

/** The topic of the message that a process has ended, with its number. */
export const lostTopic = 'lost'

/** One message between two processes of a server. `data` is JSON, which those that pass it on leave as it is. */
export type Packet = {
  kind: 'tell' | 'ask' | 'answer' | 'fault' | 'gone'
  from: number
  /** A process, or all workers but the sender. */
  to: number | 'others'
  topic: string
  /** Joins a question with its answer. */
  id?: number
  data?: string | undefined
}

/** Receives a message or a question. Its result, or the error that it throws, answers the question. */
type Receiver = (data: never, from: number) => unknown

type Pending = {
  to: number
  timer: NodeJS.Timeout | undefined
  resolve(data: unknown): void
  reject(error: Error): void
}

/** The other process has ended, cannot be reached, or does not answer. If the question was delivered, its work may have been done. */
export class SiblingGone extends Error {
  override name = 'SiblingGone'
  /** Whether the question may have reached it. */
  readonly isDelivered: boolean

  constructor(number: number, isDelivered: boolean) {
    super(`Worker ${number} does not answer.`)
    this.isDelivered = isDelivered
  }
}

/** The other processes of a server, as one of them reaches them. A message may be lost; a question always ends with an answer or an error. */
export class Siblings {
  readonly own: number
  /** How many workers there are. */
  readonly count: number
  private readonly send: (packet: Packet) => void
  private readonly receivers = new Map<string, Receiver[]>()
  private readonly pending = new Map<number, Pending>()
  /** Begins at random, so that an answer to a process that has ended cannot settle a question of its successor. */
  private lastId = randomInt(2 ** 47)

  constructor(own: number, count: number, send: (packet: Packet) => void) {
    this.own = own
    this.count = count
    this.send = send
    this.hear<number>(lostTopic, (number) => this.lose(number))
  }

  /** Calls the receiver with each message and question of other processes about a topic. */
  hear<Data>(topic: string, receiver: (data: Data, from: number) => unknown) {
    this.receivers.set(topic, [...(this.receivers.get(topic) ?? []), receiver as Receiver])
  }

  /** Removes the receivers of a topic. Questions about it then count as not delivered. */
  ignore(topic: string) {
    this.receivers.delete(topic)
  }

  /** Sends a message, which may be lost. */
  tell(topic: string, data: unknown, to: number | 'others' = 'others') {
    this.send({ kind: 'tell', from: this.own, to, topic, data: JSON.stringify(data) })
  }

  /**
   * Asks another process, and resolves with its answer. Rejects with SiblingGone if the process ends first, or does not answer within `seconds`;
   * and with the error that its receiver has thrown.
   */
  ask<Answer = unknown>(to: number, topic: string, data: unknown = null, seconds?: number): Promise<Answer> {
    const id = ++this.lastId
    return new Promise<Answer>((resolve, reject) => {
      const late = guard(ignore, () => this.settle(id, to)?.reject(new SiblingGone(to, true)))
      const timer = seconds === undefined ? undefined : setTimeout(late, seconds * 1000).unref()
      this.pending.set(id, { to, timer, resolve: resolve as Pending['resolve'], reject })
      this.send({ kind: 'ask', from: this.own, to, topic, id, data: JSON.stringify(data) })
    })
  }

  /** Takes a packet that has arrived for this process. */
  receive(packet: Packet) {
    const { kind, topic, id, from } = packet
    const data = packet.data === undefined ? undefined : JSON.parse(packet.data)
    if (kind === 'answer') return this.settle(id, from)?.resolve(data)
    if (kind === 'gone') return this.settle(id, from)?.reject(new SiblingGone(from, false))
    if (kind === 'fault') return this.settle(id, from)?.reject(unpackError(data))
    const receivers = this.receivers.get(topic) ?? []
    if (kind === 'tell') {
      for (const receiver of receivers) guard(ignore, receiver)(data as never, from)
      return
    }
    void this.answer(packet, data, receivers)
  }

  /** Rejects the questions to a process that has ended. */
  lose(number: number) {
    for (const [id, { to }] of this.pending) {
      if (to === number) this.settle(id, to)?.reject(new SiblingGone(number, true))
    }
  }

  private settle(id = 0, from: number): Pending | undefined {
    const pending = this.pending.get(id)
    if (pending?.to !== from) return undefined
    this.pending.delete(id)
    clearTimeout(pending.timer)
    return pending
  }

  private async answer({ topic, id, from }: Packet, data: unknown, receivers: Receiver[]) {
    const back = { from: this.own, to: from, topic, id: must(id, 'number of a question') }
    const [receiver] = receivers
    // A worker that has just begun does not serve yet.
    if (!receiver) return this.send({ ...back, kind: 'gone' })
    try {
      const answer = (await receiver(data as never, from)) ?? null
      this.send({ ...back, kind: 'answer', data: JSON.stringify(answer) })
    } catch (error) {
      this.send({ ...back, kind: 'fault', data: JSON.stringify(packError(error)) })
    }
  }
}

/** Returns an error as it is sent: the fields that callers read. */
function packError(error: unknown) {
  if (error instanceof ApiError) {
    const { message, code, status, data } = error
    return { api: [message, code, status, data] }
  }
  return { message: messageOf(error), code: codeOf(error), constraint: constraintOf(error) }
}

function unpackError({ api, message, ...fields }: Packed): Error {
  return api ? new ApiError(...api) : Object.assign(new Error(message), fields)
}

type Packed = { api?: ConstructorParameters<typeof ApiError>; message?: string }
