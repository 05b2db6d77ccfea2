import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToAdminister } from '../../kernel/channels/access.ts'
import { markLeftAsRead } from '../../kernel/messages/post-notice.ts'
import { archive } from './archiving.ts'
import { ChannelEdit } from './channel-edit.ts'

export const archiveChannel = command('DELETE /streams/{stream_id}', {
  summary: 'Archive a channel',
  access: requireUser,
  params: { stream_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, site, commit }) {
    const plan = (state: RealmState) => {
      const edit = new ChannelEdit(state, site, me, channelToAdminister(state, me, params.stream_id))
      archive(edit)
      return edit
    }
    const early = plan(realm) // checks what it can before the change begins
    const left = await commit((change) =>
      (early.holds(change.state) ? early : plan(change.state)).write(change),
    )
    await markLeftAsRead(commit, left)
    return {}
  },
})
