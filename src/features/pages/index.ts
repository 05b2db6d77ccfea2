import { stylesheet } from './style.ts'

export const documents = [stylesheet]
