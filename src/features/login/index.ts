import { fetchApiKey } from './fetch-api-key.ts'
import { regenerateApiKey } from './regenerate-api-key.ts'

/** The operations of this capability. */
export const endpoints = [fetchApiKey, regenerateApiKey]
