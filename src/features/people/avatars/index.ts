import { getAvatar } from './get-avatar.ts'
import { getMediumAvatar } from './get-medium-avatar.ts'
import { removeOwnAvatar } from './remove-own-avatar.ts'
import { setOwnAvatar } from './set-own-avatar.ts'

export const endpoints = [getAvatar, getMediumAvatar, removeOwnAvatar, setOwnAvatar]
