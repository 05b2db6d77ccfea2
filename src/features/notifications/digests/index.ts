import { digests } from './send-digests.ts'

export { consequences } from './consequences.ts'

export const jobHandlers = [digests]
