import { receive } from './receive.ts'

/** The operations of this capability. */
export const endpoints = [receive]
