import { reportMessage } from './report-message.ts'

export const endpoints = [reportMessage]
