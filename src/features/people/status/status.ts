import type { AccountRow, UserStatusRow } from '../../../db/schema.ts'
import { text, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { limits } from '../../../lib/limits.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'
import { emojiByName, emojiKind, emojiNamed } from '../../organization/emoji/find-emoji.ts'
import { type StatusParts, statusChanged } from './user_status.event.ts'

/** The parts of a status; those that are not sent stay. */
export const statusParams = {
  status_text: text({ max: limits.statusTextLength, trim: true }).optional(),
  emoji_name: text().optional(),
  emoji_code: text().optional(),
  reaction_type: emojiKind().optional(),
}

type Sent = Values<typeof statusParams>

/** What was sent of a status, with its emoji in full. 400 for an emoji that does not exist, or for nothing at all. */
export function statusParts(realm: RealmState, sent: Sent & { away?: boolean | undefined }): StatusParts {
  const { away, status_text, emoji_name, emoji_code, reaction_type } = sent
  if (away === undefined && status_text === undefined && emoji_name === undefined) {
    throw badRequest('Client did not pass any new values.')
  }
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.')
  }
  return {
    ...(away !== undefined && { away }),
    ...(status_text !== undefined && { status_text }),
    ...(emoji_name !== undefined && emojiParts(realm, emoji_name, emoji_code, reaction_type)),
  }
}

/** Sets the parts of somebody's status and tells those who may know of them. */
export async function setStatus(change: Change, userId: number, parts: StatusParts) {
  const { away: _, ...own } = parts
  const before = change.state.statuses.get(userId)
  const row = { ...none, ...before, ...own, user_id: userId }
  if (row.status_text !== '' || row.emoji_name !== '') {
    await (before ? change.update('user_status', row) : change.insert('user_status', row))
  } else if (before) await change.deleteAll('user_status', [{ user_id: userId }])
  change.emit(statusChanged(userId, parts), { everyone: true })
}

const none = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' }

/** A status as clients get it: only what there is of it. */
export function statusView(row: UserStatusRow | undefined): StatusParts {
  if (!row) return {}
  const { status_text, emoji_name, emoji_code, reaction_type } = row
  return {
    ...(status_text && { status_text }),
    ...(emoji_name && { emoji_name, emoji_code, reaction_type }),
  }
}

/** `user_status` of POST /register: by user id, of those who have one and whom the viewer may know of. */
export function allStatuses(realm: RealmState, viewer: AccountRow): Record<number, StatusParts> {
  const known = [...realm.statuses.values()].filter(({ user_id }) => {
    const user = realm.users.get(user_id)
    return user?.is_active && canSeeUser(realm, viewer, user)
  })
  return Object.fromEntries(known.map((row) => [row.user_id, statusView(row)]))
}

function emojiParts(
  realm: RealmState,
  name: string,
  code: string | undefined,
  kind: string | undefined,
): StatusParts {
  // No emoji has a kind, too, for clients that want one.
  if (name === '') return { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }
  const byName = code === undefined || kind === undefined ? emojiByName(realm, name) : undefined
  const emoji = emojiNamed(realm, name, code ?? byName!.code, kind ?? byName!.kind)
  return { emoji_name: name, emoji_code: emoji.code, reaction_type: emoji.kind }
}
