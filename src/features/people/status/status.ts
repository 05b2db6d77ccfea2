import type { AccountRow, UserStatusRow } from '../../../db/schema.ts'
import { text, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { must } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'
import { emojiByName, emojiKind, emojiNamed } from '../../organization/emoji/find-emoji.ts'
import { statusLimits } from './limits.ts'
import { type StatusParts, statusChanged } from './user_status.event.ts'

/** The parts of a status. Parts that are not sent stay as they are. */
export const statusParams = {
  status_text: text({ max: statusLimits.statusTextLength, trim: true }).optional(),
  emoji_name: text().optional(),
  emoji_code: text().optional(),
  reaction_type: emojiKind().optional(),
}

type Sent = Values<typeof statusParams>

/**
 * Returns the sent parts of a status, with the emoji's name, code and kind. Throws 400 for an unknown emoji, and if
 * nothing was sent.
 */
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

/** Sets parts of a user's status and notifies the users who may see them. */
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

/** Returns a status as clients receive it: only the parts that are set. */
export function statusView(row: UserStatusRow | undefined): StatusParts {
  if (!row) return {}
  const { status_text, emoji_name, emoji_code, reaction_type } = row
  return {
    ...(status_text && { status_text }),
    ...(emoji_name && { emoji_name, emoji_code, reaction_type }),
  }
}

/** `user_status` of POST /register: the statuses, by user id, of the users whom the viewer may see. */
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
  // Clients want a kind even without an emoji.
  if (name === '') return { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }
  const byName = code === undefined || kind === undefined ? emojiByName(realm, name) : undefined
  const emoji = emojiNamed(
    realm,
    name,
    code ?? must(byName, 'emoji of that name').code,
    kind ?? must(byName, 'emoji of that name').kind,
  )
  return { emoji_name: name, emoji_code: emoji.code, reaction_type: emoji.kind }
}
