import { z } from 'zod'
import type { ProfileFieldRow } from '../../../../db/schema.ts'
import { dictionary } from '../../../../http/collections.ts'
import { boolean, json, notBlankPattern, text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { externalAccounts, fieldType } from './field-types.ts'
import { profileFieldLimits } from './limits.ts'

/** The columns of a field; field_data is JSON. */
export type FieldColumns = Omit<ProfileFieldRow, 'realm_id' | 'id' | 'place'>

/** The parameters for creating and for changing a field. */
export const fieldParams = {
  // Accounts of a known kind have a name of their own, so theirs may be left out.
  name: text({ max: profileFieldLimits.profileFieldNameLength, trim: true }).documentedAs({
    pattern: notBlankPattern,
  }),
  hint: text({ max: profileFieldLimits.profileFieldHintLength }),
  field_data: json(dictionary(z.unknown())),
  required: boolean(),
  display_in_profile_summary: boolean(),
  editable_by_user: boolean(),
}

/** Throws unless the field is valid. `id` is the existing field that is being changed, if there is one. */
export function checkField(
  realm: RealmState,
  field: FieldColumns,
  data: Record<string, unknown>,
  id?: number,
) {
  if (field.name === '') throw badRequest('Label cannot be blank.')
  if (!Object.values(fieldType).some((known) => known === field.field_type)) {
    throw badRequest('Invalid field type.')
  }
  // Every change of a field is sent to all users.
  if (field.field_data.length > profileFieldLimits.profileFieldDataLength) {
    throw badRequest(
      `field_data is too long (limit: ${profileFieldLimits.profileFieldDataLength} characters)`,
    )
  }
  if (field.field_type === fieldType.select) checkChoices(data)
  if (field.field_type === fieldType.externalAccount) checkAccount(data)
  const others = [...realm.profileFields.values()].filter((other) => other.id !== id)
  if (others.some((other) => other.name === field.name)) {
    throw badRequest('A field with that label already exists.')
  }
  if (id === undefined && others.length >= profileFieldLimits.profileFields)
    throw badRequest('There are too many fields.')
  if (field.display_in_profile_summary) checkSummary(field, others)
}

/** Returns the names that a known kind of external account defines itself. */
export function ownNames(data: Record<string, unknown>): { name?: string; hint?: string } {
  const known = isKnownAccount(data) && externalAccounts[data.subtype as string]
  return known ? { name: known.name, hint: known.hint } : {}
}

/** Returns whether an external account is of a kind that needs no description. */
export function isKnownAccount({ subtype }: Record<string, unknown>): boolean {
  return typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
}

/** Returns the field with this id; throws 400 if it does not exist. */
export function fieldById(realm: RealmState, id: number): ProfileFieldRow {
  const field = realm.profileFields.get(id)
  if (!field) throw badRequest(`Field id ${id} not found.`)
  return field
}

const choice = z.object({ text: z.string(), order: z.string() })

function checkChoices(data: Record<string, unknown>) {
  const texts = new Set<string>()
  if (Object.keys(data).length === 0) throw badRequest('Field must have at least one choice.')
  for (const [key, value] of Object.entries(data)) {
    const { success, data: one } = choice.safeParse(value)
    if (key.trim() === '') throw badRequest("'value' cannot be blank.")
    if (!success) throw badRequest('field_data is not a list of choices with text and order')
    for (const part of ['text', 'order'] as const) {
      if (one[part].trim() === '') throw badRequest(`field_data["${part}"] cannot be blank.`)
    }
    texts.add(one.text)
  }
  if (texts.size < Object.keys(data).length) throw badRequest('Field must not have duplicate choices.')
}

function checkAccount({ subtype, url_pattern }: Record<string, unknown>) {
  if (isKnownAccount({ subtype })) return
  if (subtype !== 'custom') throw badRequest('Invalid external account type')
  if (typeof url_pattern !== 'string') throw badRequest('Custom external account must define URL pattern')
  if (!url_pattern.includes('%(username)s')) throw badRequest("URL pattern must contain '%(username)s'.")
  if (!URL.canParse(url_pattern.replace('%(username)s', 'username')))
    throw badRequest('url_pattern is not a URL')
  if (!/^https?:/i.test(url_pattern)) throw badRequest('url_pattern is not a URL')
}

const notForSummary: number[] = [fieldType.longText, fieldType.user]

function checkSummary({ field_type }: FieldColumns, others: ProfileFieldRow[]) {
  if (notForSummary.includes(field_type)) {
    throw badRequest('Field type not supported for display in profile summary.')
  }
  const shown = others.filter((other) => other.display_in_profile_summary)
  if (shown.length >= profileFieldLimits.profileFieldsInSummary) {
    throw badRequest('Only 2 custom profile fields can be displayed in the profile summary.')
  }
}
