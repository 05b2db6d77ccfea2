import { beginOpenId } from './begin-open-id.ts'
import { finishOpenId } from './finish-open-id.ts'

export const endpoints = [beginOpenId, finishOpenId]
