import type { ProfileFieldRow } from '../../db/schema.ts'
import { checkField } from '../../features/people/kernel/profile-fields/field-rules.ts'
import { fieldType } from '../../features/people/kernel/profile-fields/field-types.ts'
import { profileFieldLimits } from '../../features/people/kernel/profile-fields/limits.ts'
import { checkedValues } from '../../features/people/kernel/profile-fields/values.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { isObject } from '../../lib/is-object.ts'
import { jsonIn } from '../../lib/json.ts'
import type { ImportContext } from './import-context.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Context = Pick<ImportContext, 'change' | 'source' | 'people' | 'owner'>

/** Adds the fields of profiles, and what people have in them. */
export async function addZulipProfiles(context: Context) {
  const { change, source } = context
  for (const field of source.byId('zerver_customprofilefield').values()) {
    const row = fieldOf(field)
    const data = dataOf(row.field_data)
    const isShort =
      row.name.length <= profileFieldLimits.profileFieldNameLength &&
      row.hint.length <= profileFieldLimits.profileFieldHintLength
    const isValid = isShort && unlessRefused(() => checkField(change.state, row, data) ?? true)
    if (isValid) await change.insert('profile_field', { id: field.id, ...row, place: field.order })
    else source.leftOut.add('profileFields')
  }
  const values = groupBy(source.rows('zerver_customprofilefieldvalue'), ({ user_profile }) => user_profile)
  for (const [userId, rows] of values) {
    const data = valuesOf(context, rows)
    if (context.people.user(userId) && Object.keys(data).length > 0) {
      await change.insert('profile', { user_id: userId, data })
    }
  }
}

function fieldOf(
  field: ZulipRow<'zerver_customprofilefield'>,
): Omit<ProfileFieldRow, 'realm_id' | 'id' | 'place'> {
  const { id: _, order: __, hint, field_data, ...row } = field
  return {
    ...row,
    hint: hint ?? '',
    field_data: Object.keys(dataOf(field_data)).length > 0 ? (field_data ?? '') : '',
  }
}

function dataOf(text: string | null): Record<string, unknown> {
  const data = jsonIn(text)
  return isObject(data) ? data : {}
}

function valuesOf(
  { change, source, owner, people }: Context,
  rows: ZulipRow<'zerver_customprofilefieldvalue'>[],
) {
  const data: Record<string, { value: string; rendered_value?: string }> = {}
  for (const { field, value: given } of rows) {
    const isOfUsers = change.state.profileFields.get(field)?.field_type === fieldType.user
    const value = isOfUsers ? peopleIn(given, people) : given
    const checked = unlessRefused(() => checkedValues(change.state, owner, [{ id: field, value }]))?.get(
      field,
    )
    if (checked) data[field] = checked
    else source.leftOut.add('profileFields')
  }
  return data
}

/** Returns the people in a value who can be in one here. */
function peopleIn(text: string, people: ZulipPeople): number[] {
  const ids = jsonIn(text)
  if (!Array.isArray(ids)) return []
  return ids.filter((id) => {
    const user = people.users.has(id) ? people.get(id) : undefined
    return user?.is_active && user.bot_type === null
  })
}
