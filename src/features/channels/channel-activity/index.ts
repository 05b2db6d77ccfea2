import { measureActivity } from './measure-activity.ts'

export const jobHandlers = [measureActivity]
