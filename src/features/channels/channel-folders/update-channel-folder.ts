import type { ChannelFolderRow } from '../../../db/schema.ts'
import { requireAdministrator } from '../../../http/access.ts'
import { type CallerContext, command } from '../../../http/endpoint.ts'
import { boolean, pathInteger, text, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { channelFolder } from '../kernel/channel-folders/access.ts'
import { folderUpdated } from './channel_folder.event.ts'
import { checkFolderNameIsFree, folderDescription, folderName, folderNameParam } from './folder-text.ts'
import { folderLimits } from './limits.ts'

const params = {
  channel_folder_id: pathInteger(),
  name: folderNameParam().optional(),
  description: text({ max: folderLimits.channelFolderDescriptionLength }).optional(),
  is_archived: boolean().optional(),
}

type Changes = Partial<
  Pick<ChannelFolderRow, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>

type Params = Values<typeof params>

export const updateChannelFolder = command('PATCH /channel_folders/{channel_folder_id}', {
  summary: 'Rename, describe, archive or unarchive a channel folder',
  since: 389,
  access: requireAdministrator,
  params,
  returns: {},
  async handle({ realm, site, me, params, commit }) {
    changesOf({ realm, site, me }, params) // checks what it can before the change begins
    await commit(async (change) => {
      const changes = changesOf({ realm: change.state, site, me }, params)
      if (changes.length === 0) return
      const id = params.channel_folder_id
      await change.update('channel_folder', { id, ...Object.assign({}, ...changes) })
      for (const data of changes) change.emit(folderUpdated(id, data), { everyone: true })
    })
    return {}
  },
})

/** Returns the values that differ from the current ones, one change each: others are not written. Throws if a change is not possible. */
function changesOf(writer: CallerContext, params: Params): Changes[] {
  const { realm } = writer
  const folder = channelFolder(realm, params.channel_folder_id)
  const changes: Changes[] = []
  const name = params.name === undefined ? folder.name : folderName(params.name)
  if (name !== folder.name) {
    checkFolderNameIsFree(realm, name, folder.id)
    changes.push({ name })
  }
  const text = folderDescription(writer, params.description ?? folder.description)
  if (text.description !== folder.description) changes.push(text)
  const isArchived = params.is_archived ?? folder.is_archived
  if (isArchived === folder.is_archived) return changes
  if (isArchived && realm.channelsOfFolder(folder.id).size > 0) {
    throw badRequest('You need to remove all the channels from this folder to archive it.')
  }
  return [...changes, { is_archived: isArchived }]
}
