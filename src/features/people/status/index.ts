import { getUserStatus } from './get-user-status.ts'
import { setOwnStatus } from './set-own-status.ts'
import { setUserStatus } from './set-user-status.ts'
import { userStatusEvent } from './user_status.event.ts'

export const endpoints = [setOwnStatus, setUserStatus, getUserStatus]

export const eventTypes = [userStatusEvent]

export { consequences } from './consequences.ts'
