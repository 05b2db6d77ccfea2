import { badRequest } from '../../../lib/api-error.ts'
import { lower } from '../../../lib/text/lower.ts'
import { channelDescription, channelName } from '../../kernel/channels/names.ts'
import { folderToFill } from '../kernel/channel-folders/access.ts'
import { channelAudience } from '../kernel/channels/audience.ts'
import { noticeTexts } from '../kernel/channels/channel-notices.ts'
import { renderedDescription } from '../kernel/channels/description.ts'
import { retentionDays } from '../kernel/channels/retention.ts'
import { channelUpdated } from '../kernel/channels/stream.event.ts'
import { checkMaySetTopicsPolicy } from '../kernel/channels/topics-policy.ts'
import type { ChannelEdit } from './channel-edit.ts'
import type { UpdateChannelParams } from './update-channel-params.ts'

export function editTopicsPolicy(edit: ChannelEdit, { topics_policy: policy }: UpdateChannelParams) {
  if (policy === undefined) return
  if (policy === edit.channel.topics_policy) return
  checkMaySetTopicsPolicy(edit.realm, edit.me, policy)
  edit.set({ topics_policy: policy })
  edit.emitProperty('topics_policy', policy)
}

export function editRetention(edit: ChannelEdit, params: UpdateChannelParams) {
  if (params.message_retention_days === undefined) return
  const before = edit.channel.message_retention_days
  const days = retentionDays(edit.realm, edit.me, params.message_retention_days)
  if (days === before) return
  edit.set({ message_retention_days: days })
  edit.emitProperty('message_retention_days', days)
  edit.notify(noticeTexts.retention(edit.realm, edit.me, before, days))
}

export function editDescription(edit: ChannelEdit, params: UpdateChannelParams) {
  if (params.description === undefined) return
  const before = edit.channel.description
  const description = channelDescription(params.description)
  if (description === before) return
  const rendered = renderedDescription(edit, description)
  edit.set({ description, rendered_description: rendered })
  edit.emitProperty('description', description, { rendered_description: rendered })
  edit.notify(noticeTexts.described(edit.me, before, description))
}

export function editName(edit: ChannelEdit, { new_name: newName }: UpdateChannelParams) {
  if (newName === undefined) return
  const { realm, channel } = edit
  const name = channelName(newName)
  if (name === channel.name) throw badRequest('Channel already has that name.')
  const namesake = realm.channelByName(lower(name))
  if (namesake && namesake.id !== channel.id) throw badRequest('Channel name is already in use.')
  edit.set({ name })
  // The event identifies the channel by the name that clients know.
  edit.emit(channelUpdated(channel, 'name', name), channelAudience(realm, edit.channel))
  edit.notify(noticeTexts.renamed(edit.me, channel.name, name))
}

export function editFolder(edit: ChannelEdit, { folder_id: folderId }: UpdateChannelParams) {
  if (folderId === undefined) return
  const folder = folderId === null ? null : folderToFill(edit.realm, folderId)
  const id = folder?.id ?? null
  if (id === edit.channel.folder_id) return
  edit.set({ folder_id: id })
  edit.emitProperty('folder_id', id)
}
