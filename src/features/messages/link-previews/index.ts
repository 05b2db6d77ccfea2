import { linkPreviewing } from './make-link-previews.ts'

export const jobHandlers = [linkPreviewing]
