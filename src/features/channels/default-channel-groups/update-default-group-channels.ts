import type { DefaultChannelGroupRow } from '../../../db/schema.ts'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, strings, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelsNamed, channelsToOffer, defaultGroup } from './default-groups.ts'

export const updateDefaultGroupChannels = command('PATCH /default_stream_groups/{group_id}/streams', {
  summary: 'Add or remove channels of a default channel group',
  access: requireAdministrator,
  params: {
    group_id: pathInteger(),
    op: text().documentedAs({ enum: ['add', 'remove'] }),
    stream_names: strings(),
  },
  returns: {},
  async handle({ params, commit }) {
    const { group_id, op, stream_names } = params
    if (op !== 'add' && op !== 'remove') {
      throw badRequest('Invalid value for "op". Specify one of "add" or "remove".')
    }
    await commit(async (change) => {
      const group = defaultGroup(change.state, group_id)
      const channel_ids =
        op === 'add'
          ? idsWith(change.state, group, stream_names)
          : idsWithout(change.state, group, stream_names)
      await change.update('default_channel_group', { id: group.id, channel_ids })
    })
    return {}
  },
})

function idsWith(
  realm: RealmState,
  { name, channel_ids }: DefaultChannelGroupRow,
  names: string[],
): number[] {
  const channels = channelsToOffer(realm, names, name)
  const known = channels.find(({ id }) => channel_ids.includes(id))
  if (known) throw badRequest(`Channel '${known.name}' is already present in default channel group '${name}'`)
  return [...channel_ids, ...channels.map(({ id }) => id)]
}

function idsWithout(realm: RealmState, { name, channel_ids }: DefaultChannelGroupRow, names: string[]) {
  const channels = channelsNamed(realm, names)
  const stranger = channels.find(({ id }) => !channel_ids.includes(id))
  if (stranger)
    throw badRequest(`Channel '${stranger.name}' is not present in default channel group '${name}'`)
  return channel_ids.filter((id) => !channels.some((channel) => channel.id === id))
}
