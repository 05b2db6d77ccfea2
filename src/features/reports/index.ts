import { reportMessage } from './report-message.ts'

/** The operations of this capability. */
export const endpoints = [reportMessage]
