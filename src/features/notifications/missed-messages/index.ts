import { missedMailing } from './mail-missed.ts'

export const jobHandlers = [missedMailing]
