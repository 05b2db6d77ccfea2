import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { defaultGroup } from './default-groups.ts'

export const deleteDefaultGroup = command('DELETE /default_stream_groups/{group_id}', {
  summary: 'Delete a default channel group; its channels stay',
  access: requireAdministrator,
  params: { group_id: pathInteger() },
  returns: {},
  async handle({ params, commit }) {
    await commit(async (change) => {
      const { id } = defaultGroup(change.state, params.group_id)
      await change.deleteAll('default_channel_group', [{ id }])
    })
    return {}
  },
})
