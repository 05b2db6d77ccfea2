import { notBlankPattern, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { groupLimits } from './limits.ts'

/** Prefixes that have another meaning in a message or a search. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:']

/** The name of a group. groupName checks it. */
export const groupNameParam = () =>
  text().documentedAs({
    minLength: 1,
    maxLength: groupLimits.groupNameLength,
    pattern: notBlankPattern,
    not: { pattern: `^\\s*(${reserved.join('|')})` },
  })

/** Returns the name of a group as it is stored, trimmed. Throws if it is invalid. */
export function groupName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw badRequest("User group name can't be empty!")
  if ([...name].length > groupLimits.groupNameLength) {
    throw badRequest(`User group name cannot exceed ${groupLimits.groupNameLength} characters.`)
  }
  const prefix = reserved.find((start) => name.startsWith(start))
  if (prefix) throw badRequest(`User group name cannot start with '${prefix}'.`)
  return name
}

/**
 * Throws if a group other than the one with `ownId` has this name, ignoring case. Deactivated groups keep their names.
 */
export function checkGroupNameIsFree(realm: RealmState, name: string, ownId?: number) {
  const namesake = realm.groupByName(lower(name))
  if (namesake && namesake.id !== ownId) throw badRequest(`User group '${name}' already exists.`)
}
