import { registerQueue } from './register-queue.ts'

/** The operations of this capability. */
export const endpoints = [registerQueue]
