import { announceFullMembers } from './announce-full-members.ts'

export const jobHandlers = [announceFullMembers]

export { consequences } from './consequences.ts'
