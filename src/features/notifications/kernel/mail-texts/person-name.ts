import type { AccountRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { unknownName } from '../../../kernel/users/user-view.ts'
import { canSeeUser } from '../../../kernel/users/user-visibility.ts'

/** Returns the name of a user in a mail to a reader, who may not see every user. */
export function shownPersonName(realm: RealmState, viewer: AccountRow, id: number) {
  const person = realm.users.get(id)
  return person && canSeeUser(realm, viewer, person) ? person.full_name : unknownName
}
