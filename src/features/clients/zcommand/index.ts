import { zcommand } from './zcommand.ts'

export const endpoints = [zcommand]
