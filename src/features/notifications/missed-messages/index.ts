import { missedMailing } from './mail-missed.ts'
import { notingCalledByEdit } from './note-called-by-edit.ts'

export const jobHandlers = [missedMailing, notingCalledByEdit]
