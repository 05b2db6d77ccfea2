import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { strings, text } from '../../../http/params.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelsToOffer, defaultGroupName, defaultGroupNameParam } from './default-groups.ts'
import { defaultGroupLimits } from './limits.ts'

export const createDefaultGroup = command('POST /default_stream_groups/create', {
  summary: 'Create a default channel group',
  creates: true,
  access: requireAdministrator,
  params: {
    group_name: defaultGroupNameParam(),
    description: text({ max: defaultGroupLimits.defaultChannelGroupDescriptionLength }),
    stream_names: strings(),
  },
  returns: {},
  async handle({ realm, params, conclude }) {
    const plan = (state: RealmState) => {
      const name = defaultGroupName(state, params.group_name)
      const channels = channelsToOffer(state, params.stream_names, name)
      return { name, description: params.description, channel_ids: channels.map(({ id }) => id) }
    }
    plan(realm) // checks what it can before the change begins
    return conclude(async (change) => {
      await change.insert('default_channel_group', plan(change.state))
      return {}
    })
  },
})
