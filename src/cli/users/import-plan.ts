import { roles } from '../../db/roles.ts'
import type { AccountRow, ChannelRow, UserGroupRow } from '../../db/schema.ts'
import { isActive } from '../../features/kernel/channels/access.ts'
import { checkFullName } from '../../features/people/kernel/users/names.ts'
import { checkAddressAllowed } from '../../features/people/users/allowed-addresses.ts'
import { isLastOwner } from '../../features/people/users/change-user.ts'
import { checkEmailIsFree } from '../../features/people/users/emails.ts'
import type { Site } from '../../lib/site.ts'
import { isEmail } from '../../lib/text/email.ts'
import { lower } from '../../lib/text/lower.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { PersonLine } from './people-csv.ts'
import { roleName, roleNamed } from './user-words.ts'

/** The changes for one person, and how a report describes them. */
export type PersonPlan = {
  /** The account; undefined if it must be created. */
  user: AccountRow | undefined
  fullName: string
  role: number
  isActive: boolean
  groups: UserGroupRow[]
  channels: ChannelRow[]
  changes: string[]
}

/** Compares a line with the organization. Throws one sentence if the line cannot be carried out. */
export function planFor(state: RealmState, site: Site, line: PersonLine): PersonPlan {
  if (!isEmail(line.email)) throw new Error(`${line.email || 'An empty text'} is not an email address.`)
  if (!['', 'active', 'deactivated'].includes(line.state)) {
    throw new Error(`There is no state ${line.state}; there are active and deactivated.`)
  }
  const user = state.userByEmail(line.email.toLowerCase())
  if (user && (user.bot_type !== null || user.is_system_bot)) throw new Error(`${line.email} is a bot.`)
  const groups = line.groups.map((name) => groupNamed(state, name))
  const channels = line.channels.map((name) => openChannel(state, name))
  return user
    ? planOfUpdate(state, line, user, groups, channels)
    : planOfNew(state, site, line, groups, channels)
}

function planOfNew(
  state: RealmState,
  site: Site,
  { email, name, role, state: wanted }: PersonLine,
  groups: UserGroupRow[],
  channels: ChannelRow[],
): PersonPlan {
  if (wanted === 'deactivated') throw new Error(`There is no account ${email} to deactivate.`)
  if (name === '') throw new Error('A new person needs a name.')
  checkAddressAllowed(state, email)
  checkEmailIsFree(state, site, email)
  const fullName = checkFullName(state, name)
  const number = role === '' ? roles.member : roleNamed(role)
  const changes = [`role ${roleName({ role: number })}`, ...memberships(groups, channels)]
  return { user: undefined, fullName, role: number, isActive: true, groups, channels, changes }
}

function planOfUpdate(
  state: RealmState,
  line: PersonLine,
  user: AccountRow,
  wantedGroups: UserGroupRow[],
  wantedChannels: ChannelRow[],
): PersonPlan {
  const fullName = line.name === '' ? user.full_name : checkFullName(state, line.name, user.id)
  const role = line.role === '' ? user.role : roleNamed(line.role)
  const isToBeActive = line.state === '' ? user.is_active : line.state === 'active'
  const losesOwner = user.role === roles.owner && (role !== roles.owner || !isToBeActive)
  if (losesOwner && isLastOwner(state, user)) throw new Error(`${line.email} is the only owner.`)
  const groups = wantedGroups.filter(({ id }) => !state.groupMembers.get(id, user.id))
  const channels = wantedChannels.filter(({ id }) => {
    const subscription = state.subscription(user.id, id)
    return !subscription || !isActive(subscription)
  })
  if (!isToBeActive && (groups.length > 0 || channels.length > 0)) {
    throw new Error(`${line.email} is deactivated, and joins no groups and channels.`)
  }
  const changes = [
    ...(fullName === user.full_name ? [] : [`name ${user.full_name} -> ${fullName}`]),
    ...(role === user.role ? [] : [`role ${roleName(user)} -> ${roleName({ role })}`]),
    ...(isToBeActive === user.is_active ? [] : [isToBeActive ? 'reactivated' : 'deactivated']),
    ...memberships(groups, channels),
  ]
  return { user, fullName, role, isActive: isToBeActive, groups, channels, changes }
}

function memberships(groups: UserGroupRow[], channels: ChannelRow[]): string[] {
  return [...groups.map(({ name }) => `group ${name}`), ...channels.map(({ name }) => `channel ${name}`)]
}

function groupNamed(state: RealmState, name: string): UserGroupRow {
  const group = state.groupByName(lower(name))
  if (!group) throw new Error(`There is no group ${name}.`)
  if (group.is_system_group) throw new Error(`The members of ${name} follow from roles.`)
  if (group.is_deactivated) throw new Error(`The group ${name} is deactivated.`)
  return group
}

function openChannel(state: RealmState, name: string): ChannelRow {
  const channel = state.channelByName(lower(name))
  if (!channel) throw new Error(`There is no channel ${name}.`)
  if (channel.is_archived) throw new Error(`The channel ${name} is archived.`)
  return channel
}
