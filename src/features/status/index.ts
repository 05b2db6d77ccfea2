import { getUserStatus } from './get-user-status.ts'
import { setOwnStatus } from './set-own-status.ts'
import { setUserStatus } from './set-user-status.ts'
import { userStatusEvent } from './user_status.event.ts'

/** The operations of this capability. */
export const endpoints = [setOwnStatus, setUserStatus, getUserStatus]

/** Its types of events. */
export const eventTypes = [userStatusEvent]
