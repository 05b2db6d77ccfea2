import { getServerSettings } from './get-server-settings.ts'

/** The operations of this capability. */
export const endpoints = [getServerSettings]
