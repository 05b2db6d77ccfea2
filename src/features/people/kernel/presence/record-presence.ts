import type { AccountRow } from '../../../../db/schema.ts'
import type { CallerContext, CommandContext } from '../../../../http/endpoint.ts'
import { guard, ignore } from '../../../../lib/guard.ts'
import { batchedWrite } from '../../../../log/batched-write.ts'
import type { Change } from '../../../../log/change.ts'
import type { Seen } from '../../../../log/presence.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { userSetting } from '../../../kernel/users/settings.ts'
import { presenceLimits } from './limits.ts'
import { type PresenceEvent, presenceOf } from './presence.event.ts'

/** The users seen, in one entry of the log: one user with an event for all, or any number without an event. */
type Report = { seen: Seen[]; isTold: boolean; at?: number }

const reporting = batchedWrite<Report>({
  name: 'presence',
  takesMessageId: false,

  writes: {
    // One user may have been seen twice.
    sql: (items) => `
      presence_report AS (
        INSERT INTO presence (realm_id, user_id, active_at, connected_at)
        SELECT DISTINCT ON (one.user_id) head.realm_id, one.user_id, one.active_at, one.connected_at
        FROM head, json_to_recordset(${items}) AS x(seen json),
          json_to_recordset(x.seen) AS one(user_id integer, active_at bigint, connected_at bigint)
        ORDER BY one.user_id, one.connected_at DESC
        ON CONFLICT (realm_id, user_id)
          DO UPDATE SET active_at = EXCLUDED.active_at, connected_at = EXCLUDED.connected_at
      )`,

    row: ({ seen }) => ({
      seen: seen.map(({ userId, active, connected }) => ({
        user_id: userId,
        active_at: active,
        connected_at: connected,
      })),
    }),
  },

  entry({ seen, isTold, at }): { event: PresenceEvent; audience: object } {
    return { event: presenceOf(seen, at), audience: isTold ? { everyone: true } : { users: [] } }
  },
})

/**
 * Records that a user is present. In a small organization, all users are notified when a user comes online. Everything
 * else is collected in memory and written together with the other reports that this node receives within a moment,
 * without a row and an event for each.
 */
export async function recordPresence(
  { realm, me, site, commitInGroup }: CallerContext<'commitInGroup'>,
  isActive: boolean,
) {
  if (realmSettings(realm).presence_disabled || !userSetting(me, 'presence_enabled')) return
  const now = site.clock()
  const before = realm.presence.of(me.id)
  // A time in the future is one that the clock showed before it was set back.
  const distance = (time: number | null | undefined) => Math.abs(now - (time ?? 0))
  const isFresh = (time: number | null | undefined) => distance(time) <= presenceLimits.presenceRestSeconds
  if (isFresh(before?.connected) && (!isActive || isFresh(before?.active))) return
  const seen = { userId: me.id, active: isActive ? now : (before?.active ?? null), connected: now }
  const comes = isActive && distance(before?.active) > presenceLimits.presenceOfflineSeconds
  if (comes && isSmall(realm)) {
    await commitInGroup(reporting, { seen: [seen], isTold: true })
    return
  }
  realm.presence.addPending(seen)
  writeSoon(realm, commitInGroup)
}

/** Shows, as a part of a change, that a user is present. All users are notified, however large the organization is. */
export async function becomeOnline(change: Change, { id }: AccountRow) {
  if (realmSettings(change.state).presence_disabled) return
  const seen = [{ userId: id, active: change.now, connected: change.now }]
  await change.add(reporting, { seen, isTold: true })
}

/** Hides, as a part of a change, that a user is present, as if they had left some time ago and been idle then. */
export async function becomeOffline(change: Change, { id }: AccountRow) {
  const { state, now } = change
  const before = state.presence.of(id)
  const gone = now - presenceLimits.presenceOfflineSeconds - 1
  if (!before || before.connected <= gone) return
  state.presence.pending.delete(id)
  const isTold = !realmSettings(state).presence_disabled
  await change.add(reporting, { seen: [{ userId: id, active: null, connected: gone }], isTold, at: now })
}

const writing = new WeakSet<RealmState>()

function writeSoon(realm: RealmState, commitInGroup: CommandContext['commitInGroup']) {
  if (writing.has(realm)) return
  writing.add(realm)
  const write = async () => {
    writing.delete(realm)
    const seen = [...realm.presence.pending.values()]
    // Reports that cannot be written now are kept, and written with the next ones.
    if (seen.length > 0) await commitInGroup(reporting, { seen, isTold: false }).catch(() => {})
  }
  setTimeout(guard(ignore, write), presenceLimits.presenceWriteSeconds * 1000).unref()
}

// In a large organization, clients learn who is present when they report their own presence.
function isSmall(realm: RealmState) {
  let people = 0
  for (const user of realm.users.values()) {
    if (user.is_active && user.bot_type === null) people += 1
    if (people > presenceLimits.presenceEventPeople) return false
  }
  return true
}
