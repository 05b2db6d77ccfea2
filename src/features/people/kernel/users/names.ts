import type { AccountRow } from '../../../../db/schema.ts'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { controls, invisible, unprintableNote } from '../../../../lib/text/unprintable.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { personLimits } from './limits.ts'

/** Characters that would break a mention, and those that are not printed. */
const refused = '*`\\\\>"@'
const hasRefused = new RegExp(`[${refused}\\p{C}]`, 'u')
const described = refused + controls + invisible
/** In a mention, a number after a bar selects one of several users with the same name. */
const numbered = /\|\d+$/

/** A user's full name. checkFullName checks it. */
export const fullNameParam = () =>
  text().documentedAs({
    minLength: personLimits.fullNameMinLength,
    maxLength: personLimits.fullNameLength,
    pattern: `^\\s*[^\\s${described}][^${described}]*[^\\s${described}]\\s*$`,
    not: { pattern: '\\|\\d+\\s*$' },
    description: unprintableNote,
  })

/**
 * Returns a full name as it is stored; throws if it is invalid or not allowed in this organization. `userId` is the
 * user to be renamed, if they exist already.
 */
export function checkFullName(realm: RealmState, name: string, userId?: number): string {
  const trimmed = checkNameForm(name)
  if (realmSettings(realm).require_unique_names && isTaken(realm, trimmed, userId)) {
    throw badRequest('Unique names required in this organization.')
  }
  return trimmed
}

/** Throws if an active user already has a bot's new name, so that a mention of the bot is unambiguous. */
export function checkBotNameIsFree(realm: RealmState, name: string) {
  const namesakes = [...realm.usersByFullName(name.toLowerCase())].filter(
    (user) => user.full_name === name && user.is_active && !user.is_system_bot,
  )
  if (namesakes.length > 0) throw badRequest('Name is already in use.')
}

/**
 * Returns a full name, trimmed, of 2 to 100 characters, without characters that would break a mention. Throws if it is
 * invalid.
 */
export function checkNameForm(name: string): string {
  const trimmed = name.trim()
  const length = [...trimmed].length
  if (length > personLimits.fullNameLength) throw badRequest('Name too long!')
  if (length < personLimits.fullNameMinLength) throw badRequest('Name too short!')
  if (hasRefused.test(trimmed)) throw badRequest('Invalid characters in name!')
  if (numbered.test(trimmed)) throw badRequest('Invalid format!')
  return trimmed
}

/** Returns a mention of a user that does not notify them. */
export function silentMention(user: AccountRow) {
  return `@_**${user.full_name}|${user.id}**`
}

function isTaken(realm: RealmState, name: string, userId: number | undefined) {
  return [...realm.usersByFullName(name.toLowerCase())].some(({ id }) => id !== userId)
}
