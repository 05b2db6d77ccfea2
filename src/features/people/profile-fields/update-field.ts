import { isDeepStrictEqual } from 'node:util'
import type { ProfileFieldRow } from '../../../db/schema.ts'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { inSteps } from '../../../log/steps.ts'
import {
  checkField,
  type FieldColumns,
  fieldById,
  fieldParams,
  isKnownAccount,
} from '../kernel/profile-fields/field-rules.ts'
import { fieldType } from '../kernel/profile-fields/field-types.ts'
import { profileFieldLimits } from '../kernel/profile-fields/limits.ts'
import { removeValues, usersWithValues } from '../kernel/profile-fields/values.ts'
import { profileValueChanged } from '../kernel/users/realm_user.event.ts'

const params = {
  field_id: pathInteger(),
  name: fieldParams.name.optional(),
  hint: fieldParams.hint.optional(),
  field_data: fieldParams.field_data.optional(),
  required: fieldParams.required.optional(),
  display_in_profile_summary: fieldParams.display_in_profile_summary.optional(),
  editable_by_user: fieldParams.editable_by_user.optional(),
}

export const updateProfileField = command('PATCH /realm/profile_fields/{field_id}', {
  summary: 'Update a custom profile field',
  access: requireAdministrator,
  params,
  returns: {},
  async handle({ realm, params, commit }) {
    const { field } = changedField(realm, params)
    const { valuesPerStep } = profileFieldLimits
    // Values of choices that go are removed before the choices, as no user may have a value that is none of them.
    const early = usersWithValues(realm, choicesGone(params.field_id, field)).slice(valuesPerStep)
    await inSteps(commit, early, valuesPerStep, async (change, some) => {
      return removeChoicesGone(change, params.field_id, changedField(change.state, params).field, some)
    })
    await commit(async (change) => {
      const { before, field } = changedField(change.state, params)
      await change.update('profile_field', { id: before.id, ...field })
      const rest = usersWithValues(change.state, choicesGone(before.id, field))
      await removeChoicesGone(change, before.id, field, rest)
    })
    return {}
  },
})

/** Returns the field before and after its changes. Throws 400 if it is invalid then. */
function changedField(realm: RealmState, { field_id, ...sent }: Values<typeof params>) {
  const before = fieldById(realm, field_id)
  checkKeepsKnown(before, sent)
  const { id: _, realm_id: __, place: ___, ...columns } = before
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  const field: FieldColumns = { ...columns, ...Object.fromEntries(given), field_data: before.field_data }
  if (sent.field_data) field.field_data = JSON.stringify(sent.field_data)
  checkField(realm, field, sent.field_data ?? parsed(before.field_data), before.id)
  return { before, field }
}

/** A known kind of external account keeps the name that clients know. */
function checkKeepsKnown(
  before: ProfileFieldRow,
  { name, hint, field_data }: Partial<Values<typeof params>>,
) {
  const data = parsed(before.field_data)
  if (before.field_type !== fieldType.externalAccount || !isKnownAccount(data)) return
  const isSame =
    (name ?? before.name) === before.name &&
    (hint ?? before.hint) === before.hint &&
    isDeepStrictEqual(field_data ?? data, data)
  if (!isSame) throw badRequest('Default custom field cannot be updated.')
}

/** Returns whether a value is of a choice that the field does not have. */
function choicesGone(id: number, { field_type, field_data }: FieldColumns) {
  const choices = field_type === fieldType.select ? parsed(field_data) : undefined
  return (fieldId: number, { value }: { value: string }) =>
    choices !== undefined && fieldId === id && !Object.hasOwn(choices, value)
}

async function removeChoicesGone(change: Change, id: number, field: FieldColumns, users: number[]) {
  const removed = await removeValues(change, users, choicesGone(id, field))
  for (const userId of removed) change.emit(profileValueChanged(userId, id, null), { everyone: true })
  return removed
}

function parsed(data: string): Record<string, unknown> {
  return data === '' ? {} : JSON.parse(data)
}
