import { zcommand } from './zcommand.ts'

/** The operations of this capability. */
export const endpoints = [zcommand]
