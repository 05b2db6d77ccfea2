import type { AccountRow, ChannelRow, UserGroupRow } from '../../../../db/schema.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import { render } from '../../../../markdown/render.ts'
import { defaultChannels } from '../../../channels/kernel/channels/default-channels.ts'
import { subscribeUsers } from '../../../channels/subscriptions/subscribe-users.ts'
import { noticeLookup } from '../../../kernel/messages/markdown-lookup.ts'
import { notifyPeople } from '../../../kernel/messages/notify-people.ts'
import { postNotice } from '../../../kernel/messages/post-notice.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { chosenDefaults } from '../../../kernel/users/settings.ts'
import { silentMention } from '../../../people/kernel/users/names.ts'
import { checkAddressAllowed } from '../../../people/users/allowed-addresses.ts'
import { checkEmailIsFree } from '../../../people/users/emails.ts'
import { mailWelcome } from '../mail/account-mails.ts'
import { welcome } from './welcome.ts'

export type NewPerson = {
  email: string
  fullName: string
  role: number
  /** Without a password hash, the user signs on through another service. */
  passwordHash?: string
  /** The content of an invitation. Without one, the user joins the default channels. */
  joins?: { channels: ChannelRow[]; groups: UserGroupRow[] }
  /** The inviter who wants to be notified that the user has joined. */
  notifies?: number
}

/**
 * Creates a human user in the default channels or with the content of their invitation. Emits the events, sends the
 * Welcome Bot's greeting, and ends other invitations of the user. Throws 400 if the email address is taken, or not
 * allowed here.
 */
export async function addPerson(change: Change, site: Site, person: NewPerson): Promise<AccountRow> {
  const { state } = change
  const { email, fullName, role, passwordHash } = person
  checkAddressAllowed(state, email)
  checkEmailIsFree(state, site, email)
  const user = await change.insert('account', {
    delivery_email: email,
    full_name: fullName,
    role,
    settings: chosenDefaults(state),
    created_at: change.now,
  })
  if (passwordHash) await change.insert('credential', { user_id: user.id, password_hash: passwordHash })
  const { channels, groups } = person.joins ?? { channels: defaultChannels(state), groups: [] }
  await subscribeUsers(change, { channels, users: [user] })
  await joinGroups(change, user, groups)
  await welcome(change, user)
  await announce(change, site, user, person.notifies)
  await mailWelcome(change, site, user)
  return user
}

async function joinGroups(change: Change, user: AccountRow, groups: UserGroupRow[]) {
  await change.insertAll(
    'group_member',
    groups.map(({ id }) => ({ group_id: id, user_id: user.id })),
  )
}

/** Announces a new user through the Notification Bot: in the announcement channel, and to the inviter. */
async function announce(change: Change, site: Site, user: AccountRow, inviterId: number | undefined) {
  const { state } = change
  const lookup = {
    ...noticeLookup(state, realmUrl(site, state.row), user),
    userById: (id: number) => (id === user.id ? { id, name: user.full_name } : undefined),
  }
  // The messages mention the new user, whose id is known only now, so they are rendered here.
  const compose = (content: string) => ({ content, rendered: render(content, lookup) })
  if (inviterId !== undefined) {
    await notifyPeople(change, [inviterId], compose(`${silentMention(user)} has accepted your invitation.`))
  }
  const place = state.channels.get(realmSettings(state).signup_announcements_stream_id)
  if (!place || place.is_archived) return
  const topic = place.topics_policy === 'empty_topic_only' ? '' : 'signups'
  const notice = compose(`${silentMention(user)} has joined this organization.`)
  await postNotice(change, { recipientId: place.recipient_id, topic, ...notice, readBy: [user.id] })
}
