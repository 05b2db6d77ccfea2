import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer } from '../../../http/params.ts'
import { channelToSee } from '../../kernel/channels/access.ts'
import { defaultChannelsChanged } from '../kernel/channels/default_streams.event.ts'
import { defaultChannelIds } from '../kernel/channels/default-channels.ts'

export const removeDefaultChannel = command('DELETE /default_streams', {
  summary: 'Remove a channel from the default channels for new users',
  access: requireAdministrator,
  params: { stream_id: integer() },
  returns: {},
  async handle({ me, params, commit }) {
    await commit(async (change) => {
      const channel = channelToSee(change.state, me, params.stream_id)
      if (channel.is_default) await change.update('channel', { id: channel.id, is_default: false })
      // Emitted even if nothing changed, as clients of this API expect.
      const ids = defaultChannelIds(change.state).filter((id) => id !== channel.id)
      change.emit(defaultChannelsChanged(ids), { nonGuests: true })
    })
    return {}
  },
})
