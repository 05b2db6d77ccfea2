import { receive } from './receive.ts'

export const endpoints = [receive]
