import { roles } from '../../db/roles.ts'
import type { AccountRow } from '../../db/schema.ts'
import { systemBots } from '../../features/kernel/settings/system-bots.ts'
import { isTimeZone } from '../../features/organization/kernel/users/setting-choices.ts'
import { checkNameForm } from '../../features/people/kernel/users/names.ts'
import { must } from '../../lib/must.ts'
import type { Change } from '../../log/change.ts'
import { FreeAddresses } from '../free-addresses.ts'
import { personNameFrom } from '../names.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipRow } from './zulip-tables.ts'
import { userSettingsIn } from './zulip-user-settings.ts'

type User = ZulipRow<'zerver_userprofile'>

const nowhere = 'zulip.invalid'
const genericBot = 1
const botTypes = [1, 2, 3, 4]

/** The accounts of an imported organization. They have the ids that they have in the export. */
export class ZulipPeople {
  /** The rows of the accounts that are not system bots. */
  readonly users: ReadonlyMap<number, User>
  private readonly change: Change
  private readonly source: ZulipExport
  private readonly visibility: unknown
  private readonly dummies: ReadonlySet<number>
  private readonly systemBots = new Map<number, AccountRow>()

  constructor(change: Change, source: ZulipExport) {
    this.change = change
    this.source = source
    const dummies = source.rows('zerver_userprofile_mirrordummy')
    this.dummies = new Set(dummies.map(({ id }) => id))
    // In old versions, the organization said for all people who sees their addresses.
    this.visibility = source.rows('zerver_realm')[0]?.email_address_visibility
    this.users = source.unique([...source.rows('zerver_userprofile'), ...dummies])
  }

  /** Returns the account with an id of the export: a user, or one of our system bots. */
  get(id: number | null): AccountRow | undefined {
    if (id === null) return undefined
    return this.users.has(id) ? this.change.state.users.get(id) : this.systemBots.get(id)
  }

  /** The system bot that tells what others have done. */
  get notifier(): AccountRow {
    return must(this.change.state.userByEmail(systemBots.notification.email), 'system bot')
  }

  /** Returns a user, and no system bot. Others count as a reference that is lost. */
  user(id: number): AccountRow | undefined {
    return this.users.has(id) ? this.change.state.users.get(id) : this.source.leftOut.add('lostReferences')
  }

  /**
   * Adds all accounts. Returns the first active owner, or administrator if no owner is active; throws an error of one sentence if there
   * is neither.
   */
  async addAll(): Promise<AccountRow> {
    const addresses = new FreeAddresses(this.change.state, nowhere)
    // If several users have the same address, the active ones keep theirs.
    const inOrder = [...this.users.values()].sort((a, b) => this.rank(a) - this.rank(b) || a.id - b.id)
    const rows = await this.change.insertAll(
      'account',
      inOrder.map((user) => this.rowOf(user, addresses)),
    )
    this.findSystemBots()
    const owner = await this.firstOwner(rows)
    const ownerless = rows.filter(({ bot_type, bot_owner_id }) => bot_type !== null && bot_owner_id === null)
    await this.change.updateAll(
      'account',
      ownerless.map(({ id }) => ({ id, bot_owner_id: owner.id })),
    )
    return owner
  }

  private rank({ id, is_active, is_bot }: User): number {
    return (is_bot ? 1 : 0) + (is_active && !this.dummies.has(id) ? 0 : 2)
  }

  private async firstOwner(rows: AccountRow[]): Promise<AccountRow> {
    const people = rows.filter(({ bot_type, is_active }) => bot_type === null && is_active)
    const owner = people.find(({ role }) => role === roles.owner)
    if (owner) return owner
    const admins = people.filter(({ role }) => role === roles.administrator)
    const hadOwners = rows.some(({ role }) => role === roles.owner)
    const [first] = hadOwners ? admins : await this.promote(admins)
    if (first) return first
    throw new Error(
      'The export has no email address of an owner or administrator, so nobody could administer the organization.',
    )
  }

  /** Before there were owners, administrators were what they are now. */
  private promote(admins: AccountRow[]): Promise<AccountRow[]> {
    return this.change.updateAll(
      'account',
      admins.map(({ id }) => ({ id, role: roles.owner })),
    )
  }

  private findSystemBots() {
    const byName: Record<string, string> = {
      'notification-bot': systemBots.notification.email,
      'welcome-bot': systemBots.welcome.email,
      emailgateway: systemBots.emailGateway.email,
    }
    for (const { id, email } of this.source.rows('zerver_userprofile_crossrealm')) {
      const own = byName[email.split('@')[0]?.toLowerCase() ?? ''] ?? systemBots.notification.email
      this.systemBots.set(id, must(this.change.state.userByEmail(own), 'system bot'))
    }
  }

  private rowOf(user: User, addresses: FreeAddresses) {
    const { id, bot_owner, date_joined, timezone } = user
    const isBot = user.is_bot || user.bot_type !== null
    const address = addresses.take(user.delivery_email) ?? addresses.take(user.email)
    if (address === undefined) this.source.leftOut.add('addressless')
    const isChannel = (channel: number | null) =>
      channel !== null && this.source.byId('zerver_stream').has(channel)
    return {
      id,
      delivery_email: address ?? addresses.standIn(`user${id}`),
      full_name: nameOf(user),
      role: roleOf(user),
      is_active: user.is_active && !this.dummies.has(id) && address !== undefined,
      bot_type: isBot ? (botTypes.find((type) => type === user.bot_type) ?? genericBot) : null,
      bot_owner_id: isBot && bot_owner !== null && this.users.has(bot_owner) ? bot_owner : null,
      timezone: isTimeZone(timezone) ? timezone : '',
      settings: userSettingsIn({ email_address_visibility: this.visibility, ...user }, this.source.leftOut),
      can_create_users: user.can_create_users,
      can_change_user_emails: user.can_change_user_emails,
      created_at: date_joined ?? this.change.now,
      default_sending_channel_id: isChannel(user.default_sending_stream) ? user.default_sending_stream : null,
      default_events_channel_id: isChannel(user.default_events_register_stream)
        ? user.default_events_register_stream
        : null,
      default_all_public_channels: user.default_all_public_streams,
    }
  }
}

/** Names may be as they were there, unless they would break mentions. */
function nameOf({ id, full_name }: User): string {
  return unlessRefused(() => checkNameForm(full_name)) ?? personNameFrom([full_name, `User ${id}`])
}

const knownRoles: readonly number[] = Object.values(roles)

function roleOf({ role, is_realm_admin, is_guest }: User): number {
  if (role !== null && knownRoles.includes(role)) return role
  if (is_realm_admin) return roles.administrator
  return is_guest ? roles.guest : roles.member
}
