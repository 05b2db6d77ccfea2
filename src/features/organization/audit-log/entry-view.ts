import { z } from 'zod'
import type { AccountRow, AuditEntryRow } from '../../../db/schema.ts'
import { namesIn } from '../../../lib/collections/records.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { seesEmail, standInEmail } from '../../kernel/users/user-view.ts'

export const entrySchema = z.object({
  id: z.int(),
  at: z.int(),
  kind: z.string(),
  object: z.string(),
  object_id: z.int().nullable(),
  object_name: z.string().nullable(),
  actor_id: z.int().nullable(),
  actor_name: z.string().nullable(),
  means: z.string(),
  means_id: z.int().nullable(),
  operation: z.string(),
  client: z.string().nullable(),
  ip: z.string().nullable(),
  os_user: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})

/** The fields of an entry, in order. */
export const entryFields = namesIn(entrySchema.shape)

type EntryView = z.infer<typeof entrySchema>

/** Returns an entry as the API and the exports have it. */
export function entryView({ realm_id: _, ...entry }: AuditEntryRow): EntryView {
  return entry
}

/** Returns an entry as a user may see it: without addresses that their owners hide from them. */
export function entryFor(realm: RealmState, site: Site, me: AccountRow, entry: AuditEntryRow): EntryView {
  const view = entryView(entry)
  if (entry.object === 'invitation') return invitationFor(realm, site, me, view)
  const user = entry.object === 'user' ? realm.users.get(entry.object_id ?? 0) : undefined
  if (!user || seesEmail(me, user)) return view
  const shown = (values: EntryView['before']) =>
    values && 'delivery_email' in values
      ? { ...values, delivery_email: standInEmail(realm, site, user.id) }
      : values
  return { ...view, before: shown(view.before), after: shown(view.after) }
}

/** An invitation is named after the address to which it went, which a user may have now. */
function invitationFor(realm: RealmState, site: Site, me: AccountRow, view: EntryView): EntryView {
  const addressFor = (email: string) => {
    const user = realm.userByEmail(email.toLowerCase())
    return user && !seesEmail(me, user) ? standInEmail(realm, site, user.id) : email
  }
  const shown = (values: EntryView['before']) =>
    typeof values?.email === 'string' ? { ...values, email: addressFor(values.email) } : values
  const { object_name: name, before, after } = view
  return { ...view, object_name: name && addressFor(name), before: shown(before), after: shown(after) }
}
