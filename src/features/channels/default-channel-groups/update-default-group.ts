import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { defaultGroup, defaultGroupName, defaultGroupNameParam } from './default-groups.ts'
import { defaultGroupLimits } from './limits.ts'

export const updateDefaultGroup = command('PATCH /default_stream_groups/{group_id}', {
  summary: 'Rename or describe a default channel group',
  access: requireAdministrator,
  params: {
    group_id: pathInteger(),
    new_group_name: defaultGroupNameParam().optional(),
    new_description: text({ max: defaultGroupLimits.defaultChannelGroupDescriptionLength }).optional(),
  },
  returns: {},
  async handle({ params, commit }) {
    const { group_id: id, new_group_name: newName, new_description: description } = params
    if (newName === undefined && description === undefined) {
      throw badRequest('You must pass "new_description" or "new_group_name".')
    }
    await commit(async (change) => {
      const group = defaultGroup(change.state, id)
      const name = newName === undefined ? group.name : defaultGroupName(change.state, newName, group)
      const columns = { name, description: description ?? group.description }
      await change.update('default_channel_group', { id, ...columns })
    })
    return {}
  },
})
