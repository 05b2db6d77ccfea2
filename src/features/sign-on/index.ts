import { beginOpenId } from './begin-open-id.ts'
import { finishOpenId } from './finish-open-id.ts'

/** The operations of this capability. */
export const endpoints = [beginOpenId, finishOpenId]
