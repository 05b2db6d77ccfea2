import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { folderAdded } from './channel_folder.event.ts'
import { checkFolderNameIsFree, folderDescription, folderName, folderNameParam } from './folder-text.ts'
import { folderView, lastPlace } from './folder-view.ts'
import { folderLimits } from './limits.ts'

export const createChannelFolder = command('POST /channel_folders/create', {
  summary: 'Create a channel folder',
  since: 389,
  creates: true,
  access: requireAdministrator,
  params: {
    name: folderNameParam(),
    description: text({ max: folderLimits.channelFolderDescriptionLength }),
  },
  returns: { channel_folder_id: z.int() },
  async handle({ realm, site, me, params, conclude }) {
    const name = folderName(params.name)
    const description = folderDescription({ realm, site, me }, params.description)
    return conclude(async (change) => {
      checkFolderNameIsFree(change.state, name)
      const row = {
        name,
        ...description,
        creator_id: me.id,
        created_at: change.now,
        place: lastPlace(change.state),
      }
      const folder = await change.insert('channel_folder', row)
      change.emit(folderAdded(folderView(folder)), { everyone: true })
      return { channel_folder_id: folder.id }
    })
  },
})
