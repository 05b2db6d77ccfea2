import type { AccountRow, ProfileFieldRow } from '../../db/schema.ts'
import { domainName } from '../../features/organization/domains/add-domain.ts'
import { domainLimits } from '../../features/organization/domains/limits.ts'
import { linkifierLimits } from '../../features/organization/linkifiers/limits.ts'
import { checkLinkifier } from '../../features/organization/linkifiers/rules.ts'
import { checkPlayground } from '../../features/organization/playgrounds/add-playground.ts'
import { playgroundLimits } from '../../features/organization/playgrounds/limits.ts'
import { checkField } from '../../features/people/kernel/profile-fields/field-rules.ts'
import { fieldType } from '../../features/people/kernel/profile-fields/field-types.ts'
import { profileFieldLimits } from '../../features/people/kernel/profile-fields/limits.ts'
import { checkedValues } from '../../features/people/kernel/profile-fields/values.ts'
import { groupBy } from '../../lib/group-by.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Change } from '../../log/change.ts'
import { jsonIn, unlessRefused } from './valid.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Into = { change: Change; source: ZulipExport; people: ZulipPeople; owner: AccountRow }

/** Adds the patterns that become links, the playgrounds and the domains. */
export async function addZulipRules({ change, source }: Into) {
  const { state } = change
  const linkifiers = [...source.byId('zerver_realmfilter').values()]
  for (const [place, row] of linkifiers.sort((a, b) => a.order - b.order || a.id - b.id).entries()) {
    const wish = { pattern: row.pattern, url_template: linkTemplate(row) }
    const isShort = row.pattern.length <= linkifierLimits.linkifierPatternLength
    const isValid = isShort && unlessRefused(() => checkLinkifier(state, wish) ?? true)
    if (isValid) await change.insert('linkifier', { id: row.id, ...wish, place })
    else source.leftOut.add('linkifiers')
  }
  for (const { id, name, pygments_language: language, ...row } of source
    .byId('zerver_realmplayground')
    .values()) {
    const wish = { name, language, url_template: row.url_template ?? `${row.url_prefix ?? ''}{code}` }
    const isShort =
      name.length <= playgroundLimits.playgroundNameLength &&
      language.length <= playgroundLimits.playgroundLanguageLength
    const isValid = isShort && unlessRefused(() => checkPlayground(state, wish) ?? true)
    if (isValid) await change.insert('playground', { id, ...wish })
    else source.leftOut.add('linkifiers')
  }
  for (const { domain: given, allow_subdomains } of source.rows('zerver_realmdomain')) {
    const domain = unlessRefused(() => domainName(given))
    const isNew = domain !== undefined && !state.allowedDomainByName(domain)
    if (isNew && state.allowedDomains.size < domainLimits.allowedDomains) {
      await change.insert('allowed_domain', { domain, allow_subdomains })
    } else source.leftOut.add('damagedRows')
  }
}

/** Old versions have %(name)s in place of {name}. */
function linkTemplate({ url_template, url_format_string }: ZulipRow<'zerver_realmfilter'>): string {
  if (url_template !== null) return url_template
  return (url_format_string ?? '').replaceAll(/%\((\w+)\)s/g, '{$1}').replaceAll('%%', '%')
}

/** Adds the fields of profiles, and what people have in them. */
export async function addZulipProfiles(into: Into) {
  const { change, source } = into
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
    const data = valuesOf(into, rows)
    if (into.people.user(userId) && Object.keys(data).length > 0) {
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
  { change, source, owner, people }: Into,
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
