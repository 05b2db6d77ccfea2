import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { isTimeZone } from '../../organization/kernel/users/setting-choices.ts'
import { digestLimits } from './limits.ts'

const day = 86_400
const morning = digestLimits.digestHour * 3_600

/**
 * Returns whether users of a time zone get the digest of their organization now, and for which day (counted from
 * 1970-01-01, in that zone): from the morning of the organization's weekday to the end of that day. A user without a time
 * zone has UTC. Each zone is computed once.
 */
export function digestDays(realm: RealmState, now: number): (user: AccountRow) => number | undefined {
  const { digest_weekday: weekday } = realmSettings(realm)
  const days = new Map<string, number | undefined>()
  return ({ timezone }) => {
    if (!days.has(timezone)) days.set(timezone, dayOfDigest(timezone, weekday, now))
    return days.get(timezone)
  }
}

function dayOfDigest(timezone: string, weekday: number, now: number): number | undefined {
  const local = now + offsetOf(timezone)(now)
  const today = Math.floor(local / day)
  return weekdayOf(today) === weekday && local - today * day >= morning ? today : undefined
}

/** Returns when the next users of an organization get their digest: the first of their mornings that is to come. */
export function nextDigests(realm: RealmState, now: number): number {
  const { digest_weekday: weekday } = realmSettings(realm)
  const zones = new Set([''])
  for (const { timezone } of realm.users.values()) zones.add(timezone)
  return Math.min(...[...zones].map((zone) => nextMorning(zone, weekday, now)))
}

function nextMorning(timezone: string, weekday: number, now: number): number {
  const offset = offsetOf(timezone)
  const local = now + offset(now)
  const today = Math.floor(local / day)
  const next = (today + ((weekday - weekdayOf(today) + 7) % 7)) * day + morning
  const wanted = next > local ? next : next + 7 * day
  // The clocks may change before that.
  return wanted - offset(wanted - offset(wanted))
}

/** 0: Monday. 1970-01-01 was a Thursday. */
function weekdayOf(days: number): number {
  return (days + 3) % 7
}

/** Returns how many seconds the clocks of a time zone are ahead of UTC at a time. */
function offsetOf(timezone: string): (at: number) => number {
  const format = formatOf(timezone)
  return (at) => {
    const parts = format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)])
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts)
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - at
  }
}

/** Creating the format of a zone takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  // The names of zones may be written in upper and lower case.
  if (formats.size >= digestLimits.digestZonesKept) formats.clear()
  const format = new Intl.DateTimeFormat('en', {
    // Accounts without a time zone have an empty one. The server may know fewer zones than the one that stored the name.
    timeZone: isTimeZone(timezone) ? timezone : 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timezone, format)
  return format
}
