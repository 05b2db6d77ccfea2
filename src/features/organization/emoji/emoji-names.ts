import { readFile } from 'node:fs/promises'
import type { Document } from '../../../http/responses/document.ts'
import { partOf, type SharedChunk } from '../../../lib/gzip/gzip-parts.ts'

/** Maps code points (sequences joined by hyphens) to names, the preferred one first. */
const table = new URL('../../../markdown/emoji/emoji-names.json', import.meta.url)

let part: Promise<SharedChunk> | undefined

/** `server_emoji_data_url` of POST /register: the Unicode emoji. Clients use it to name and find them. */
export const emojiNames: Document = {
  path: '/static/generated/emoji/emoji_api.json',
  contentType: 'application/json',
  maxAge: 86_400,
  async body() {
    part ??= readFile(table, 'utf8').then((json) => partOf(`{"code_to_names":${compact(json)}}`))
    return [await part]
  },
}

function compact(json: string) {
  return JSON.stringify(JSON.parse(json))
}
