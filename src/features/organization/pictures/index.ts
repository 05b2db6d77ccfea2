import { defaultLogo } from '../kernel/pictures/default-logo.ts'
import { getPicture } from './get-picture.ts'

export const endpoints = [getPicture]

export const documents = [defaultLogo]
