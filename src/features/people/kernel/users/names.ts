import type { AccountRow } from '../../../../db/schema.ts'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { limits } from '../../../../lib/limits.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'

/** A user's full name, as checkFullName wants it. */
export const fullNameParam = () =>
  text().documentedAs({
    minLength: limits.fullNameMinLength,
    maxLength: limits.fullNameLength,
    pattern: '^[^*`\\\\>"@]+$',
  })

/**
 * A full name as it is stored; throws what is wrong with it, in this organization as well. `userId`: whose name it is
 * to be, if they exist already.
 */
export function checkFullName(realm: RealmState, name: string, userId?: number): string {
  const trimmed = checkNameForm(name)
  if (realmSettings(realm).require_unique_names && isTaken(realm, trimmed, userId)) {
    throw badRequest('Unique names required in this organization.')
  }
  return trimmed
}

/** Throws if somebody active has a bot's new name: whoever mentions the bot should not have to say which one. */
export function checkBotNameIsFree(realm: RealmState, name: string) {
  const namesakes = [...realm.usersByFullName(name.toLowerCase())].filter(
    (user) => user.full_name === name && user.is_active && !user.is_system_bot,
  )
  if (namesakes.length > 0) throw badRequest('Name is already in use.')
}

/** A full name trimmed, of 2 to 100 characters, without what would break a mention of it. Throws what is wrong with it. */
export function checkNameForm(name: string): string {
  const trimmed = name.trim()
  const length = [...trimmed].length
  if (length > limits.fullNameLength) throw badRequest('Name too long!')
  if (length < limits.fullNameMinLength) throw badRequest('Name too short!')
  if (/[*`\\>"@]|\p{C}/u.test(trimmed)) throw badRequest('Invalid characters in name!')
  // In a mention, a number after a bar says which one of several namesakes is meant.
  if (/\|\d+$/.test(trimmed)) throw badRequest('Invalid format!')
  return trimmed
}

/** A person, named without being alerted. */
export function silentMention(user: AccountRow) {
  return `@_**${user.full_name}|${user.id}**`
}

function isTaken(realm: RealmState, name: string, userId: number | undefined) {
  return [...realm.usersByFullName(name.toLowerCase())].some(({ id }) => id !== userId)
}
