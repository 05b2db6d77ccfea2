import { defaultLogo } from './default-logo.ts'
import { getPicture } from './get-picture.ts'

export const endpoints = [getPicture]

export const documents = [defaultLogo]
