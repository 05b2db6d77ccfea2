import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import { tellOfSystemGroups } from '../groups/system-groups.ts'
import { subscribeUsers } from '../subscriptions/subscribe-users.ts'
import { checkEmailIsFree } from './emails.ts'
import { userAdded } from './realm_user.event.ts'
import { chosenDefaults } from './settings.ts'

export type NewPerson = {
  email: string
  fullName: string
  role: number
  passwordHash: string
}

/** A new person with a password, in the default channels; everybody is told. 400 if the e-mail address is taken. */
export async function addPerson(change: Change, site: Site, person: NewPerson): Promise<AccountRow> {
  const { email, fullName, role, passwordHash } = person
  checkEmailIsFree(change.state, site, email)
  const user = await change.insert('account', {
    delivery_email: email,
    full_name: fullName,
    role,
    settings: chosenDefaults(change.state),
    created_at: change.now,
  })
  await change.insert('credential', { user_id: user.id, password_hash: passwordHash })
  change.emit(userAdded(change.state, site, user), { everyone: true })
  tellOfSystemGroups(change, null, user)
  const channels = [...change.state.channels.values()].filter((one) => one.is_default && !one.is_archived)
  await subscribeUsers(change, { channels, users: [user] })
  return user
}
