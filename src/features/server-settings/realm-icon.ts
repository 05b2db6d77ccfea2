import { createHash } from 'node:crypto'
import type { RealmState } from '../../log/realm-state.ts'

/** The address of the organization's icon: a pattern made from its id, as long as nobody uploads one. */
export function realmIconUrl(realm: RealmState): string {
  const hash = createHash('md5').update(realm.realm.uuid).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`
}
