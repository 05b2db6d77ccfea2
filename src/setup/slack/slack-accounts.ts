import { roles } from '../../db/roles.ts'
import type { AccountRow } from '../../db/schema.ts'
import { chosenDefaults } from '../../features/kernel/users/settings.ts'
import { isTimeZone } from '../../features/organization/kernel/users/setting-choices.ts'
import { must } from '../../lib/must.ts'
import type { Change } from '../../log/change.ts'
import { FreeAddresses } from '../free-addresses.ts'
import { personNameFrom } from '../names.ts'
import { slackLimits } from './limits.ts'
import type { SlackMessage, SlackPerson } from './slack-export.ts'

/** Bots, and people of whom the export has no address, cannot log in. */
const nowhere = 'slack.invalid'

const genericBot = 1

/** The accounts of an imported workspace, by what Slack names them. */
export class SlackAccounts {
  private readonly change: Change
  private readonly byId = new Map<string, AccountRow>()
  private readonly addresses: FreeAddresses
  /** By bot: the names under which it has written, other than its own. */
  private readonly namesOfBots = new Map<string, number>()
  private withoutAddress = 0
  private ownerId: number | undefined

  constructor(change: Change) {
    this.change = change
    this.addresses = new FreeAddresses(change.state, nowhere)
  }

  get all(): AccountRow[] {
    return [...new Set(this.byId.values())]
  }

  /** How many people are deactivated as the export has no email address of them. */
  get addressless(): number {
    return this.withoutAddress
  }

  get(id: string): AccountRow | undefined {
    return this.byId.get(id)
  }

  /** Adds all people of the export. Returns the first owner. Throws an error of one sentence if no owner can log in. */
  async addAll(people: readonly SlackPerson[]): Promise<AccountRow> {
    const inOrder = [...people].sort((a, b) => rankOf(a) - rankOf(b))
    const [home] = inOrder
    const rows = await this.change.insertAll(
      'account',
      inOrder.map((person) => this.rowOf(person, isFrom(home, person))),
    )
    for (const [i, { id, profile }] of inOrder.entries()) {
      const row = must(rows[i], 'account')
      this.byId.set(id, row)
      if (profile.bot_id !== undefined) this.byId.set(profile.bot_id, row)
    }
    const owner = rows.find(({ role, is_active }) => role === roles.owner && is_active)
    if (!owner) {
      throw new Error(
        'The export has no email address of an owner, so nobody could administer the organization.',
      )
    }
    this.ownerId = owner.id
    const bots = rows.filter(({ bot_type }) => bot_type !== null)
    await this.change.updateAll(
      'account',
      bots.map(({ id }) => ({ id, bot_owner_id: owner.id })),
    )
    return owner
  }

  /** Returns the author of a message. One whom the export does not list gets a deactivated account. */
  authorOf(message: SlackMessage): Promise<AccountRow> {
    const { user = message.comment?.user, bot_id = slackbot, username, user_profile, bot_profile } = message
    if (user !== undefined && user !== slackbot)
      return this.person(user, user_profile?.real_name ?? user_profile?.name)
    const known = this.byId.get(bot_id)
    if (user !== undefined || username === undefined || isCalled(known, username))
      return this.bot(bot_id, bot_profile?.name ?? (bot_id === slackbot ? 'Slackbot' : bot_id))
    return this.botCalled(username, bot_id)
  }

  /** Bots may write under any name, as those do that bring messages from elsewhere. Each name is an account of its own. */
  private botCalled(name: string, id: string): Promise<AccountRow> {
    const key = `${id} ${name}`
    const count = this.namesOfBots.get(id) ?? 0
    if (this.byId.has(key) || count < slackLimits.namesOfBot) {
      if (!this.byId.has(key)) this.namesOfBots.set(id, count + 1)
      return this.bot(key, name)
    }
    return this.bot(id, name)
  }

  private bot(id: string, name: string): Promise<AccountRow> {
    const bot_owner_id = must(this.ownerId, 'owner')
    return this.unlisted(id, name, { role: roles.member, bot_type: genericBot, bot_owner_id })
  }

  /** Returns a person. One whom the export does not list gets the deactivated account of a guest. */
  person(id: string, name?: string): Promise<AccountRow> {
    return this.unlisted(id, name, { role: roles.guest })
  }

  private async unlisted(id: string, name: string | undefined, columns: Partial<AccountRow>) {
    const known = this.byId.get(id)
    if (known) return known
    const row = await this.change.insert('account', {
      delivery_email: this.addresses.standIn(`unlisted${this.byId.size}`),
      full_name: personNameFrom([name, id]),
      ...columns,
      is_active: false,
      created_at: this.change.now,
    })
    this.byId.set(id, row)
    return row
  }

  /** `isHere`: whether this is someone of the workspace itself. */
  private rowOf(person: SlackPerson, isHere: boolean) {
    const { id, name, real_name, deleted, profile, tz } = person
    const isBot = person.is_bot || id === slackbot
    const address = isBot ? undefined : this.addresses.take(profile.email)
    if (isHere && !isBot && !deleted && address === undefined) this.withoutAddress += 1
    return {
      delivery_email: address ?? this.addresses.standIn(id),
      full_name: personNameFrom([profile.real_name, real_name, profile.display_name, name, id]),
      role: isHere ? roleOf(person) : roles.guest,
      bot_type: isBot ? genericBot : null,
      is_active: isHere && !deleted && address !== undefined,
      timezone: tz !== undefined && isTimeZone(tz) ? tz : '',
      settings: chosenDefaults(this.change.state),
      created_at: this.change.now,
    }
  }
}

/** Slack's own bot, which its lists do not call one. */
const slackbot = 'USLACKBOT'

/** Owners have the first ids, then those who are active. */
function rankOf({ is_primary_owner, is_owner, deleted, is_bot }: SlackPerson): number {
  return is_primary_owner ? 0 : is_owner ? 1 : is_bot ? 4 : deleted ? 3 : 2
}

function isCalled(account: AccountRow | undefined, name: string): boolean {
  return account?.full_name === personNameFrom([name])
}

/** Whether someone is of the workspace of the owner, or of another one of the same enterprise: not of one that shares a channel. */
function isFrom(home: SlackPerson | undefined, { team_id, enterprise_user, is_stranger }: SlackPerson) {
  if (is_stranger) return false
  const enterprise = home?.enterprise_user.enterprise_id
  if (enterprise !== undefined && enterprise === enterprise_user.enterprise_id) return true
  return team_id === undefined || home?.team_id === undefined || team_id === home.team_id
}

function roleOf({ is_primary_owner, is_owner, is_admin, is_restricted }: SlackPerson): number {
  if (is_primary_owner || is_owner) return roles.owner
  if (is_admin) return roles.administrator
  return is_restricted ? roles.guest : roles.member
}
