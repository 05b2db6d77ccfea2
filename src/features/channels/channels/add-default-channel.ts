import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { channelToSee } from '../../kernel/channels/access.ts'
import { defaultChannelsChanged } from '../kernel/channels/default_streams.event.ts'
import { defaultChannelIds } from '../kernel/channels/default-channels.ts'

export const addDefaultChannel = command('POST /default_streams', {
  summary: 'Add a channel to the default channels for new users',
  access: requireAdministrator,
  params: { stream_id: integer() },
  returns: {},
  async handle({ me, params, commit }) {
    await commit(async (change) => {
      const { id, is_private, is_default } = channelToSee(change.state, me, params.stream_id)
      if (is_private) throw badRequest('Private channels cannot be made default.')
      if (is_default) return
      await change.update('channel', { id, is_default: true })
      const ids = [...defaultChannelIds(change.state), id].sort((a, b) => a - b)
      change.emit(defaultChannelsChanged(ids), { nonGuests: true })
    })
    return {}
  },
})
