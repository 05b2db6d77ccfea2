import { webClientFiles } from './web-client.ts'

export const documents = webClientFiles
