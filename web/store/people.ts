import type { Message } from './messages.ts'
import { currentState, derived, field } from './server-state.ts'
import type { User } from './server-state-types.ts'

/** All users that this user can see, also deactivated ones and the server's bots, by id. */
export const users = derived(() => {
  const all = [
    ...(field('realm_users') ?? []),
    ...(field('realm_non_active_users') ?? []),
    ...(field('cross_realm_bots') ?? []),
  ]
  return new Map(all.map((user) => [user.user_id, user]))
})

const deactivated = derived(
  () => new Set((field('realm_non_active_users') ?? []).map(({ user_id }) => user_id)),
)

/** Whether a user was deactivated. Their list alone says so. */
export function isDeactivated(userId: number): boolean {
  return deactivated().has(userId)
}

/** The active users. */
export const activeUsers = derived(() => field('realm_users') ?? [])

export function me(): User | undefined {
  return users().get(currentState().user_id)
}

export function nameOf(userId: number): string {
  return users().get(userId)?.full_name ?? `#${userId}`
}

/** Returns the author's present name, if this user can still see them. */
export function senderName({ sender_id, sender_full_name }: Message): string {
  return users().get(sender_id)?.full_name ?? sender_full_name
}

/** The address of a user's picture. */
export function avatarOf(userId: number): string {
  return onThisServer(users().get(userId)?.avatar_url ?? `/avatar/${userId}`)
}

/** The organization's address may not be the one that the browser uses, so pictures of this server are asked for here. */
function onThisServer(url: string) {
  const own = field('realm_url')
  return own && url.startsWith(`${own}/`) ? url.slice(own.length) : url
}

type Availability = 'active' | 'idle' | 'offline'

/** Whether a user is there, by the presence that their clients have reported. */
export function availabilityOf(userId: number, now: number): Availability {
  const presence = field('presences')?.[userId]
  if (!presence) return 'offline'
  const threshold = currentState().server_presence_offline_threshold_seconds
  if (now - presence.active_timestamp < threshold) return 'active'
  return now - presence.idle_timestamp < threshold ? 'idle' : 'offline'
}

/** The users whom this user has muted. */
export const mutedUsers = derived(() => new Set((field('muted_users') ?? []).map(({ id }) => id)))
