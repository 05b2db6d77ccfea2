import { getServerSettings } from './get-server-settings.ts'

export const endpoints = [getServerSettings]
