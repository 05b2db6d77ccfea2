import { devFetchApiKey } from './dev-fetch-api-key.ts'
import { fetchApiKey } from './fetch-api-key.ts'
import { fetchOwnApiKey } from './fetch-own-api-key.ts'
import { jwtFetchApiKey } from './jwt-fetch-api-key.ts'
import { regenerateApiKey } from './regenerate-api-key.ts'

export const endpoints = [devFetchApiKey, fetchApiKey, fetchOwnApiKey, jwtFetchApiKey, regenerateApiKey]

export { consequences } from './consequences.ts'
