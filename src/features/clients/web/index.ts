import { showWebClient } from './show-web-client.ts'
import { webClientFiles } from './web-client.ts'

export const endpoints = [showWebClient]
export const documents = webClientFiles
