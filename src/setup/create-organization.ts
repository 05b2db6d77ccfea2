import type { Databases } from '../db/databases.ts'
import { roles } from '../db/roles.ts'
import type { AccountRow } from '../db/schema.ts'
import { addApiKey } from '../features/bots/kernel/login/api-keys.ts'
import { activityLimits } from '../features/channels/channel-activity/limits.ts'
import { scheduleMeasurement } from '../features/channels/channel-activity/measure-activity.ts'
import { createChannels } from '../features/channels/kernel/channels/create-channels.ts'
import { subscribeUsers } from '../features/channels/subscriptions/subscribe-users.ts'
import { systemGroups } from '../features/kernel/groups/permission-settings.ts'
import { addLink } from '../features/kernel/mail/links.ts'
import { systemBots } from '../features/kernel/settings/system-bots.ts'
import { scheduleRetention } from '../features/messages/retention/expire-messages.ts'
import type { Actor } from '../log/audit/actor.ts'
import type { Change } from '../log/change.ts'
import { createRealm } from '../log/lifecycle/create-realm.ts'
import { emptyLookup } from '../markdown/lookup.ts'
import { renderDescription } from '../markdown/render.ts'

type NewOrganization = {
  name: string
  /** '' for the first organization, which is served on the public host itself. */
  subdomain: string
  /** The database that it is put into, by name; without one, the main one. */
  database?: string | undefined
  ownerEmail: string
  ownerName: string
  /** Without one, the owner chooses their password by `link`. */
  passwordHash?: string
  /** A link to choose the owner's password, made with newLinkKey, and how long it works. */
  link?: { key: string; seconds: number }
  /** The owner's first key, made with newApiKey. */
  key?: string
  /** The first channels, which every user joins. */
  channels: FirstChannel[]
  now: number
  /** The actor of the creation, for the audit log; by default the server. */
  actor?: Actor
}

type FirstChannel = { name: string; description: string }

/** The channels with which an organization begins, so that there is a place to talk. */
export const firstChannels: FirstChannel[] = [
  { name: 'general', description: 'What concerns everybody' },
  { name: 'sandbox', description: 'A place to try things out' },
]

/** Creates an organization with its system groups, its bots and its owner; returns the owner and a key of theirs. */
export async function createOrganization(databases: Databases, organization: NewOrganization) {
  const { name, subdomain, database, now, actor } = organization
  const furnish = async (change: Change) => {
    await addFoundation(change)
    const owner = await addOwner(change, organization)
    await addChannels(change, organization.channels, owner)
    return { owner, key: await addApiKey(change, owner.id, 'zuliprc', undefined, organization.key) }
  }
  return createRealm(databases, { name, subdomain, database, created_at: now }, furnish, actor)
}

/** Adds what every organization has, before anything else is added to it. */
export async function addFoundation(change: Change) {
  await addSystemGroups(change)
  await addSystemBots(change)
  await scheduleRetention(change, change.now)
  await scheduleMeasurement(change, change.now + activityLimits.activityPauseSeconds)
}

function addSystemGroups(change: Change) {
  return change.insertAll(
    'user_group',
    systemGroups.map(({ name, description }) => ({
      name,
      description,
      is_system_group: true,
      permissions: {},
    })),
  )
}

function addSystemBots(change: Change) {
  return change.insertAll(
    'account',
    Object.values(systemBots).map(({ email, full_name }) => ({
      delivery_email: email,
      full_name,
      role: roles.member,
      bot_type: 1,
      is_system_bot: true,
      created_at: change.now,
    })),
  )
}

async function addOwner(
  change: Change,
  { ownerEmail, ownerName, passwordHash, link }: NewOrganization,
): Promise<AccountRow> {
  const owner = await change.insert('account', {
    delivery_email: ownerEmail,
    full_name: ownerName,
    role: roles.owner,
    can_create_users: true,
    created_at: change.now,
  })
  if (passwordHash !== undefined) {
    await change.insert('credential', { user_id: owner.id, password_hash: passwordHash })
  }
  if (link) {
    const { key, seconds } = link
    await addLink(change, { kind: 'reset-password', userId: owner.id, email: ownerEmail, seconds }, key)
  }
  return owner
}

async function addChannels(change: Change, wanted: FirstChannel[], owner: AccountRow) {
  const channels = await createChannels(
    change,
    null,
    wanted.map(({ name, description }) => ({
      name,
      description,
      rendered_description: renderDescription(description, emptyLookup),
      is_private: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      is_default: true,
      message_retention_days: null,
      topics_policy: 'inherit',
      folder_id: null,
      permissions: {},
    })),
    [owner],
  )
  await subscribeUsers(change, { channels, users: [owner] })
}
