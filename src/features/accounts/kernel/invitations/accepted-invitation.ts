import { sql } from 'kysely'
import type { InvitationRow } from '../../../../db/schema.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { defaultChannels } from '../../../channels/kernel/channels/default-channels.ts'
import type { NewPerson } from '../users/add-person.ts'
import { isOpen } from './invitations.ts'

/** Returns what an invitation grants to the user who accepts it, as far as its channels and groups still exist. */
export function grantsOf(
  realm: RealmState,
  invitation: InvitationRow,
): Required<Pick<NewPerson, 'role' | 'joins'>> & Pick<NewPerson, 'notifies'> {
  const { role, channel_ids, group_ids, adds_default_channels, notifies_inviter, inviter_id } = invitation
  const chosen = channel_ids.flatMap((id) => realm.channels.get(id) ?? [])
  const all = [...chosen, ...(adds_default_channels ? defaultChannels(realm) : [])]
  const channels = [...new Set(all)].filter((channel) => !channel.is_archived)
  const groups = group_ids.flatMap((id) => realm.groups.get(id) ?? []).filter((one) => !one.is_deactivated)
  return { role, joins: { channels, groups }, ...(notifies_inviter && { notifies: inviter_id }) }
}

/**
 * Returns the newest open invitation by mail to an address. The user has proved in another way that the address is
 * theirs.
 */
export async function invitationTo(change: Change, email: string): Promise<InvitationRow | undefined> {
  const [invitation] = await change.run<InvitationRow>(sql`
    SELECT * FROM invitation
    WHERE realm_id = ${change.state.id} AND lower(email) = ${email.toLowerCase()} AND ${isOpen(change.now)}
    ORDER BY id DESC LIMIT 1`)
  return invitation
}
