import { createUser } from './create-user.ts'
import { deactivateUser } from './deactivate-user.ts'
import { reactivateUser } from './reactivate-user.ts'

export const endpoints = [createUser, deactivateUser, reactivateUser]
