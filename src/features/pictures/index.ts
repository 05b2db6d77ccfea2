import { defaultLogo } from './default-logo.ts'
import { getPicture } from './get-picture.ts'

/** The operations of this capability. */
export const endpoints = [getPicture]

/** What it serves outside the API. */
export const documents = [defaultLogo]
