import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { digestDays } from './digest-day.ts'
import { digestLimits } from './limits.ts'

/** A user who may get a digest now. `day`: see digestDays. */
export type DigestReader = { user: AccountRow; day: number }

/** Some readers. `last`: the last user who was examined for them; undefined if that was the last of all. */
type SomeReaders = { readers: DigestReader[]; last: number | undefined }

/** The users of an organization who get a digest at this time, in the order of their ids: sorted once for all steps. */
export class DigestReaders {
  private readonly realm: RealmState
  private readonly now: number
  private readonly ids: Int32Array
  private readonly dayOf: (user: AccountRow) => number | undefined

  constructor(realm: RealmState, now: number) {
    this.realm = realm
    this.now = now
    this.ids = Int32Array.from(realm.users.values(), ({ id }) => id).sort()
    this.dayOf = digestDays(realm, now)
  }

  /** Returns the next readers in the order of their ids, after this user. */
  after(last: number): SomeReaders {
    const first = this.ids.findIndex((id) => id > last)
    const ids = first < 0 ? this.ids.subarray(0, 0) : this.ids.subarray(first)
    const readers: DigestReader[] = []
    for (const [index, id] of ids.entries()) {
      const user = this.realm.users.require(id)
      const day = this.dayOf(user)
      if (day !== undefined && wantsDigest(this.realm, user, this.now)) readers.push({ user, day })
      const isEnough = readers.length === digestLimits.digestReaders || index + 1 === digestLimits.digestUsers
      if (isEnough && index + 1 < ids.length) return { readers, last: id }
    }
    return { readers, last: undefined }
  }
}

/** Returns whether a user gets digests, and has been away for a while. */
export function wantsDigest(realm: RealmState, user: AccountRow, now: number): boolean {
  const isPerson = user.is_active && user.bot_type === null && !user.is_system_bot
  return (
    isPerson && !isUnreachable(user) && isAway(realm, user, now) && userSetting(user, 'enable_digest_emails')
  )
}

/** Accounts that were imported without an address have one of a domain that cannot exist. */
function isUnreachable({ delivery_email }: AccountRow): boolean {
  return delivery_email.endsWith('.invalid')
}

function isAway(realm: RealmState, user: AccountRow, now: number): boolean {
  const since = now - digestLimits.digestAwayDays * 86_400
  return user.created_at < since && lastSeen(realm, user) < since
}

/**
 * Returns when a user was last active. Where their presence is not recorded, the last use of their sessions and keys
 * counts: otherwise it does not, since an open client uses them without a user in front of it.
 */
function lastSeen(realm: RealmState, user: AccountRow): number {
  const isRecorded = !realmSettings(realm).presence_disabled && userSetting(user, 'presence_enabled')
  const active = isRecorded ? realm.presence.of(user.id)?.active : undefined
  if (active) return active
  const logins = [...realm.sessionsOfUser(user.id), ...realm.apiKeysOfUser(user.id)]
  return Math.max(0, ...logins.map(({ last_used_at }) => last_used_at ?? 0))
}
