import { roles } from '../../db/roles.ts'
import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { archiveChannel } from '../../features/channels/channels/archive-channel.ts'
import { updateChannel } from '../../features/channels/channels/update-channel.ts'
import { subscribersOf } from '../../features/channels/kernel/subscriptions/subscribers.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { lower } from '../../lib/text/lower.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { type CommandConfig, cliCommand, type Outcome, UsageError } from '../command.ts'
import { activeUserOf, realmOption, withRealm } from '../context.ts'
import { textTable } from '../output.ts'
import { perform } from '../perform.ts'
import { makeChannel } from './channel-making.ts'
import { subscribeInSteps, unsubscribeInSteps } from './channel-members.ts'

const list = cliCommand('channel list', {
  summary: 'list the channels of an organization',
  options: { archived: { help: 'also those that are archived' }, realm: realmOption },
  async run(config, _args, options) {
    return withRealm(config, options.realm, async ({ state }) => {
      const channels = [...state.channels.values()]
        .filter((channel) => options.archived || !channel.is_archived)
        .sort((a, b) => a.id - b.id)
        .map((channel) => channelData(state, channel))
      const lines = channels.map((one) => [
        String(one.id),
        one.name,
        one.privacy,
        String(one.subscriber_count),
        one.is_archived ? 'archived' : one.is_default ? 'default' : '',
      ])
      return { text: textTable(['ID', 'NAME', 'PRIVACY', 'SUBSCRIBERS', 'STATE'], lines), data: { channels } }
    })
  },
})

const create = cliCommand('channel create', {
  summary: 'make a channel',
  arguments: ['NAME'],
  options: {
    description: { value: 'TEXT', help: 'what it is for' },
    private: { help: 'only its subscribers may read it' },
    default: { help: 'new users are subscribed to it' },
    user: { value: 'EMAIL', help: 'subscribe this user; may be given several times', many: true },
    realm: realmOption,
  },
  async run(config, { NAME: name }, options) {
    if (options.private && options.default) throw new UsageError('A default channel cannot be private.')
    return withRealm(config, options.realm, async ({ state, commit }, site) => {
      const users = options.user.map((email) => activeUserOf(state, email))
      const settings = {
        isPrivate: options.private,
        isDefault: options.default,
        description: options.description ?? '',
      }
      const channel = await commit((change) => makeChannel(change, site, name, settings, users))
      return outcomeOf(state, channel, `The channel ${channel.name} was created with the id ${channel.id}.`)
    })
  },
})

const update = cliCommand('channel update', {
  summary: 'change the name, the description or the privacy of a channel',
  arguments: ['CHANNEL'],
  options: {
    name: { value: 'NAME', help: 'its new name' },
    description: { value: 'TEXT', help: 'what it is for' },
    privacy: { value: 'PRIVACY', help: 'public or private' },
    realm: realmOption,
  },
  details: 'CHANNEL is the name of a channel or its id.',
  async run(config, { CHANNEL: channel }, { name, description, privacy, realm }) {
    if (privacy !== undefined && privacy !== 'public' && privacy !== 'private')
      throw new UsageError(`There is no privacy ${privacy}; there are public and private.`)
    if ([name, description, privacy].every((one) => one === undefined))
      throw new UsageError('Nothing is to be changed: give --name, --description or --privacy.')
    return changeChannel(config, { realm, channel }, 'is changed', updateChannel, {
      ...(name !== undefined && { new_name: name }),
      ...(description !== undefined && { description }),
      ...(privacy !== undefined && { is_private: privacy === 'private' }),
    })
  },
})

const archive = cliCommand('channel archive', {
  summary: 'archive a channel: its messages stay, and no new ones are taken',
  arguments: ['CHANNEL'],
  options: { realm: realmOption },
  run: (config, { CHANNEL: channel }, { realm }) =>
    changeChannel(config, { realm, channel }, 'is archived', archiveChannel, {}),
})

const restore = cliCommand('channel restore', {
  summary: 'bring an archived channel back',
  arguments: ['CHANNEL'],
  options: { realm: realmOption },
  run: (config, { CHANNEL: channel }, { realm }) =>
    changeChannel(config, { realm, channel }, 'is back', updateChannel, { is_archived: false }),
})

const members = {
  user: { value: 'EMAIL', help: 'this user; may be given several times', many: true },
  all: { help: 'all active users but guests' },
  realm: realmOption,
} as const

/** Declares a command that changes the subscribers of a channel. `said`: the text for a number of users. */
function membersCommand(
  name: string,
  summary: string,
  changeMembers: typeof subscribeInSteps,
  said: (count: number, channel: string) => string,
) {
  return cliCommand(name, {
    summary,
    arguments: ['CHANNEL'],
    options: members,
    run(config, { CHANNEL }, options) {
      return withRealm(config, options.realm, async (log) => {
        const users = usersMeant(log.state, options)
        const channel = channelNamed(log.state, CHANNEL)
        const count = await changeMembers(log, channel, users)
        return outcomeOf(log.state, channel, said(count, channel.name), { count })
      })
    },
  })
}

const subscribe = membersCommand(
  'channel subscribe',
  'subscribe users to a channel',
  subscribeInSteps,
  (count, channel) => `${usersAre(count)} subscribed to ${channel} now.`,
)

const unsubscribe = membersCommand(
  'channel unsubscribe',
  'unsubscribe users from a channel',
  unsubscribeInSteps,
  (count, channel) => `${usersAre(count)} no longer subscribed to ${channel}.`,
)

export const channelCommands = [list, create, update, archive, restore, subscribe, unsubscribe]

function usersAre(count: number): string {
  return count === 1 ? '1 user is' : `${count} users are`
}

function usersMeant(state: RealmState, { user, all }: { user: string[]; all: boolean }): AccountRow[] {
  if (all === user.length > 0)
    throw new UsageError('Whom? Give --user EMAIL, several times if need be, or --all.')
  if (!all) return user.map((email) => activeUserOf(state, email))
  return [...state.users.values()].filter(
    (one) => one.is_active && one.bot_type === null && one.role !== roles.guest,
  )
}

/** The channel with a name, or else an id. */
function channelNamed(state: RealmState, name: string): ChannelRow {
  const channel =
    state.channelByName(lower(name.trim())) ??
    (/^\d{1,9}$/.test(name) ? state.channels.get(Number(name)) : undefined)
  if (channel) return channel
  throw new Error(
    `There is no channel ${name} in ${state.row.name}; rookery channel list shows those that there are.`,
  )
}

/** Changes a channel as the operation of the API does. `outcome`: what the report says of the channel. */
function changeChannel(
  config: CommandConfig,
  named: { realm: string | undefined; channel: string },
  outcome: string,
  endpoint: Endpoint,
  sent: Record<string, unknown>,
): Promise<Outcome> {
  return withRealm(config, named.realm, async (log, site, realms) => {
    const { id } = channelNamed(log.state, named.channel)
    await perform({ config, log, site, realms }, endpoint, { stream_id: id, ...sent })
    const channel = log.state.channels.require(id)
    return outcomeOf(log.state, channel, `The channel ${channel.name} ${outcome}.`)
  })
}

function outcomeOf(state: RealmState, { id }: ChannelRow, text: string, more: object = {}): Outcome {
  return { text, data: { channel: channelData(state, state.channels.require(id)), ...more } }
}

function channelData(state: RealmState, channel: ChannelRow) {
  const { id, name, description, is_private, is_web_public, is_default, is_archived } = channel
  const privacy = is_private ? 'private' : is_web_public ? 'web-public' : 'public'
  const subscriber_count = subscribersOf(state, id).length
  return { id, name, description, privacy, is_default, is_archived, subscriber_count }
}
