import type { ProfileFieldRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** A custom profile field as it is on the wire. */
function fieldView(row: ProfileFieldRow) {
  return {
    id: row.id,
    name: row.name,
    type: row.field_type,
    hint: row.hint,
    field_data: row.field_data,
    order: row.place,
    required: row.required,
    editable_by_user: row.editable_by_user,
    ...(row.display_in_profile_summary && { display_in_profile_summary: true }),
  }
}

export type FieldView = ReturnType<typeof fieldView>

/** Returns all profile fields of an organization, in order. */
export function fieldViews(rows: Iterable<ProfileFieldRow>): FieldView[] {
  return [...rows].sort((a, b) => a.place - b.place || a.id - b.id).map(fieldView)
}

/** Returns a user's profile field values: the `profile_data` of a user, by field id. */
export function profileData(realm: RealmState, userId: number) {
  const data = realm.profiles.get(userId)?.data ?? {}
  return Object.fromEntries(Object.entries(data).filter(([id]) => realm.profileFields.get(Number(id))))
}
