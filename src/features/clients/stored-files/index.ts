import { removingUnrecorded } from './remove-unrecorded.ts'

export const jobHandlers = [removingUnrecorded]
