import { databaseLimits } from '../../db/limits.ts'
import { notReady } from '../../lib/api-error.ts'
import type { Json } from '../../lib/json.ts'
import { must } from '../../lib/must.ts'
import { SiblingGone, type Siblings } from '../../lib/siblings.ts'
import { type BatchedWrite, batchedWriteNamed } from '../batched-write.ts'
import type { Realms } from '../realms.ts'

const topic = 'write'

/**
 * Seconds after which a write has failed in any worker that still responds: its wait for a connection, and two attempts
 * of a statement.
 */
const patienceSeconds = databaseLimits.turnSeconds + 2 * databaseLimits.statementSeconds

type Handed = { realmId: number; kind: string; item: Json; from: Origin }

/** The message id that an item was given, and how far the log has come with it. */
type Written = { messageId: number; position: number }

/** The state of the log that an item was made for. */
type Origin = { epoch: string; position: number }

/**
 * Writes an item in another worker, if that one writes for the organization. Returns undefined if it was not written.
 */
export type HandOver = <Item extends Json>(
  realmId: number,
  kind: BatchedWrite<Item>,
  item: Item,
  from: Origin,
) => Promise<Written | undefined> | undefined

/**
 * Lets one worker write the batches of an organization, since two that write concurrently would delay each other. While
 * that worker is down, each worker writes its own items, which the lock of the log permits at any time.
 */
export function handOverTo(siblings: Siblings): HandOver {
  return (realmId, { name: kind }, item, from) => {
    const writer = 1 + (realmId % siblings.count)
    if (writer === siblings.own) return undefined
    const handed: Handed = { realmId, kind, item, from }
    return siblings.ask<Written>(writer, topic, handed, patienceSeconds).catch((error) => {
      if (!(error instanceof SiblingGone)) throw error
      if (error.isDelivered) throw notReady('The server was interrupted. Try again in a moment.')
      return undefined
    })
  }
}

/** Writes what other workers hand over; returns the function that ends this. */
export function writeHanded(siblings: Siblings, realms: Realms): () => Promise<void> {
  const underWay = new Set<Promise<Written>>()
  const write = async ({ realmId, kind, item, from }: Handed): Promise<Written> => {
    const log = await realms.byId(realmId)
    const named = must(batchedWriteNamed(kind), `kind of write ${kind}`)
    // The other worker may know of entries that the item refers to and that this worker has not read yet.
    if (log.state.position < from.position) await log.catchUpTo(from.position)
    const messageId = await log.commitInOwnGroup(named, item, from.epoch)
    return { messageId, position: log.state.position }
  }
  siblings.hear<Handed>(topic, (handed) => {
    const writing: Promise<Written> = write(handed).finally(() => underWay.delete(writing))
    underWay.add(writing)
    return writing
  })
  return async () => {
    // Others write themselves from now on.
    siblings.ignore(topic)
    await Promise.allSettled(underWay)
  }
}
