import { stylesheet } from '../kernel/pages/style.ts'

export const documents = [stylesheet]
