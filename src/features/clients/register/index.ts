import { registerQueue } from './register-queue.ts'

export const endpoints = [registerQueue]
