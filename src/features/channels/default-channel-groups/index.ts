import { createDefaultGroup } from './create-default-group.ts'
import { defaultStreamGroupsEvent } from './default_stream_groups.event.ts'
import { deleteDefaultGroup } from './delete-default-group.ts'
import { updateDefaultGroup } from './update-default-group.ts'
import { updateDefaultGroupChannels } from './update-default-group-channels.ts'

export const endpoints = [
  createDefaultGroup,
  deleteDefaultGroup,
  updateDefaultGroup,
  updateDefaultGroupChannels,
]

export const eventTypes = [defaultStreamGroupsEvent]

export { consequences } from './consequences.ts'
