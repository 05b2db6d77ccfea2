import { muteUser } from './mute-user.ts'
import { mutedUsersEvent } from './muted_users.event.ts'
import { unmuteUser } from './unmute-user.ts'

/** The operations of this capability. */
export const endpoints = [muteUser, unmuteUser]

/** Its types of events. */
export const eventTypes = [mutedUsersEvent]
