import { z } from 'zod'
import type { AccountRow, ProfileFieldRow, ProfileRow } from '../../../../db/schema.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { list } from '../../../../http/collections.ts'
import { json } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { jsonIn } from '../../../../lib/json.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { render } from '../../../../markdown/render.ts'
import { emojiLookup } from '../../../kernel/emoji/emoji-lookup.ts'
import { canSeeUser } from '../../../kernel/users/user-visibility.ts'
import { profileValueChanged } from '../users/realm_user.event.ts'
import { fieldById } from './field-rules.ts'
import { fieldType } from './field-types.ts'
import { profileFieldLimits } from './limits.ts'

type Stored = ProfileRow['data'][string]

/** Values for fields: a text or, for fields of users, their ids. Null clears a field. */
export const valuesParam = () =>
  json(
    list(
      z.object({
        id: z.int(),
        value: z.union([z.string(), list(z.int(), profileFieldLimits.profileFieldPeople), z.null()]),
      }),
      profileFieldLimits.profileFields,
    ),
  )

type SentValue = { id: number; value: string | number[] | null }

/** New values by field id as they are stored; null for those to remove. */
export type NewValues = Map<number, Stored | null>

/**
 * Returns values as they are stored. Throws for a field that does not exist or may not be changed, and for a value that
 * the field does not allow.
 */
export function checkedValues(realm: RealmState, me: AccountRow, sent: SentValue[]): NewValues {
  return new Map(
    sent.map(({ id, value }) => {
      const field = changeableField(realm, me, id)
      return [id, value === null ? null : storedValue(realm, field, checkedValue(realm, me, field, value))]
    }),
  )
}

/** Throws for the same values as `checkedValues`. Others may have changed the fields since that was called. */
export function checkValues(realm: RealmState, me: AccountRow, sent: SentValue[]) {
  for (const { id, value } of sent) {
    const field = changeableField(realm, me, id)
    if (value !== null) checkedValue(realm, me, field, value)
  }
}

/** Returns the field if the current user may change its value. */
export function changeableField(realm: RealmState, me: AccountRow, id: number): ProfileFieldRow {
  const field = fieldById(realm, id)
  if (field.editable_by_user || isAdministrator(me)) return field
  throw badRequest('You are not allowed to change this field. Contact an administrator to update it.')
}

/** Sets a user's values, and emits those that have changed. */
export async function setValues(change: Change, userId: number, values: NewValues) {
  const before = change.state.profiles.get(userId)
  const data = { ...before?.data }
  const changed = [...values].filter(([id, value]) => data[id]?.value !== value?.value)
  if (changed.length === 0) return
  for (const [id, value] of changed) {
    if (value) data[id] = value
    else delete data[id]
  }
  await (before ? change.update : change.insert).call(change, 'profile', { user_id: userId, data })
  for (const [id, value] of changed) {
    change.emit(profileValueChanged(userId, id, value), { everyone: true })
  }
}

/** Whether a value of a field is to be removed. */
type IsGone = (fieldId: number, value: Stored) => boolean

/** Returns the users who have values to remove. */
export function usersWithValues({ profiles }: RealmState, isGone: IsGone): number[] {
  const have = ({ data }: ProfileRow) => Object.entries(data).some(([id, value]) => isGone(Number(id), value))
  return [...profiles.values()].filter(have).map(({ user_id }) => user_id)
}

/** Removes values of these users. Returns the users whose values were removed. */
export async function removeValues(change: Change, userIds: number[], isGone: IsGone): Promise<number[]> {
  const rows = userIds.flatMap((user_id) => {
    const all = Object.entries(change.state.profiles.get(user_id)?.data ?? {})
    const kept = all.filter(([id, value]) => !isGone(Number(id), value))
    return kept.length < all.length ? [{ user_id, data: Object.fromEntries(kept) }] : []
  })
  await change.updateAll('profile', rows)
  return rows.map(({ user_id }) => user_id)
}

function checkedValue(
  realm: RealmState,
  me: AccountRow,
  field: ProfileFieldRow,
  value: string | number[],
): string {
  if (field.field_type === fieldType.user) return JSON.stringify(checkedPeople(realm, me, value))
  if (typeof value !== 'string') throw badRequest(`${field.name} is not a string`)
  checkText(field, value)
  return value
}

function checkText({ name, field_type, field_data }: ProfileFieldRow, value: string) {
  const isLong = field_type === fieldType.longText
  const max = isLong ? profileFieldLimits.longProfileTextLength : profileFieldLimits.shortProfileTextLength
  switch (field_type) {
    case fieldType.select:
      if (value === '' || Object.hasOwn(JSON.parse(field_data), value)) return
      throw badRequest(`'${value}' is not a valid choice for '${name}'.`)
    case fieldType.date:
      if (value === '' || isDate(value)) return
      throw badRequest(`${name} is not a date`)
    case fieldType.url:
      if (value === '' || isUrl(value)) return
      throw badRequest(`${name} is not a URL`)
    default:
      if ([...value].length > max) throw badRequest(`${name} is too long (limit: ${max} characters)`)
  }
}

const peopleInText = list(z.int(), profileFieldLimits.profileFieldPeople)

/** Returns the ids of the users. One whom the caller may not see counts as unknown. */
function checkedPeople(realm: RealmState, me: AccountRow, sent: string | number[]): number[] {
  const ids = typeof sent === 'string' ? peopleInText.safeParse(jsonIn(sent)).data : sent
  if (!ids) throw badRequest('User IDs is not a list')
  const unknown = ids.filter((id) => {
    const user = realm.users.get(id)
    return !user || user.is_system_bot || !canSeeUser(realm, me, user)
  })
  if (unknown.length > 0) throw badRequest(`Invalid user IDs: ${unknown.join(', ')}`)
  for (const id of ids) {
    const user = realm.users.require(id)
    if (!user.is_active) throw badRequest(`User with ID ${id} is deactivated`)
    if (user.bot_type !== null) throw badRequest(`User with ID ${id} is a bot`)
  }
  return [...new Set(ids)]
}

const rendered: number[] = [fieldType.shortText, fieldType.longText]

function storedValue(realm: RealmState, { field_type }: ProfileFieldRow, value: string): Stored {
  if (!rendered.includes(field_type)) return { value }
  return { value, rendered_value: render(value, emojiLookup(realm)).html }
}

function isDate(value: string) {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function isUrl(value: string) {
  return (
    value.length <= profileFieldLimits.profileUrlLength &&
    /^https?:\/\/\S+$/i.test(value) &&
    URL.canParse(value)
  )
}
