import { muteUser } from './mute-user.ts'
import { mutedUsersEvent } from './muted_users.event.ts'
import { unmuteUser } from './unmute-user.ts'

export const endpoints = [muteUser, unmuteUser]

export const eventTypes = [mutedUsersEvent]
