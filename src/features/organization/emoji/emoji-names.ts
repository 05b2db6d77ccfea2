import { readFile } from 'node:fs/promises'
import type { Document } from '../../../http/responses/document.ts'
import { type SharedChunk, sharedChunk } from '../../../lib/gzip/gzip-chunks.ts'

/** Maps code points (sequences joined by hyphens) to names, the preferred one first. */
const table = new URL('../../../markdown/emoji/emoji-names.json', import.meta.url)

let names: Promise<SharedChunk> | undefined

/** `server_emoji_data_url` of POST /register: the Unicode emoji. Clients use it to name and find them. */
export const emojiNames: Document = {
  path: '/static/generated/emoji/emoji_api.json',
  contentType: 'application/json',
  maxAge: 86_400,
  async body() {
    names ??= readFile(table, 'utf8').then((json) => sharedChunk(`{"code_to_names":${compact(json)}}`))
    return [await names]
  },
}

function compact(json: string) {
  return JSON.stringify(JSON.parse(json))
}
