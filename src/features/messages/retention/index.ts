import { retention } from './expire-messages.ts'

export const jobHandlers = [retention]
