import { guard, ignore } from '../../lib/guard.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import { httpLimits } from '../limits.ts'
import type { Caller } from './authenticate.ts'

type Waiting = { keys: Set<number>; sessions: Set<number> }

/**
 * Records when keys and sessions were last used, to the day. So a key in use costs one write a day, which it shares with all others that
 * are used at the same moment.
 */
export class LastUsed {
  private readonly waiting = new Map<RealmLog, Waiting>()

  note(log: RealmLog, { key, session }: Caller, now: number) {
    const isNoted = (at: number | null) => at !== null && dayOf(at) >= dayOf(now)
    if (key && !isNoted(key.last_used_at)) this.of(log).keys.add(key.id)
    if (session && !isNoted(session.last_used_at)) this.of(log).sessions.add(session.id)
  }

  private of(log: RealmLog): Waiting {
    let waiting = this.waiting.get(log)
    if (!waiting) {
      waiting = { keys: new Set(), sessions: new Set() }
      this.waiting.set(log, waiting)
      // A lost record is made again at the next use.
      const write = guard(ignore, () => this.write(log))
      setTimeout(write, httpLimits.lastUsedSeconds * 1000).unref()
    }
    return waiting
  }

  private async write(log: RealmLog) {
    const { keys, sessions } = this.waiting.get(log)!
    this.waiting.delete(log)
    await log.commit(async (change) => {
      const { state, now } = change
      const row = (id: number) => ({ id, last_used_at: now })
      const there = (ids: Set<number>, table: { get(id: number): unknown }) =>
        [...ids].filter((id) => table.get(id))
      await change.updateAll('api_key', there(keys, state.apiKeys).map(row))
      await change.updateAll('session', there(sessions, state.sessions).map(row))
    })
  }
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / 86_400)
}
