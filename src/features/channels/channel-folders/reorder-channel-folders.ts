import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integers } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { foldersReordered } from './channel_folder.event.ts'

export const reorderChannelFolders = command('PATCH /channel_folders', {
  summary: 'Reorder the channel folders, archived ones included',
  since: 414,
  access: requireAdministrator,
  params: { order: integers() },
  returns: {},
  async handle({ realm, params: { order }, commit }) {
    checkOrder(realm, order)
    await commit(async (change) => {
      checkOrder(change.state, order)
      await change.updateAll(
        'channel_folder',
        order.map((id, place) => ({ id, place })),
      )
      change.emit(foldersReordered(order), { everyone: true })
    })
    return {}
  },
})

function checkOrder({ channelFolders }: RealmState, order: number[]) {
  const isComplete = order.length === channelFolders.size && new Set(order).size === order.length
  if (!isComplete || order.some((id) => !channelFolders.get(id))) throw badRequest('Invalid order mapping.')
}
