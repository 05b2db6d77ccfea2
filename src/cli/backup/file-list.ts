import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { type Content, writeHashed } from '../../lib/hashed-file.ts'
import type { BackupFolder } from './manifest.ts'

/** The files of a backup, by their paths in the store. */
export type FileList = Map<string, Content>

export async function readFileList(places: BackupFolder, id: string): Promise<FileList> {
  const list: FileList = new Map()
  const lines = createInterface({ input: createReadStream(places.fileList(id)).pipe(createGunzip()) })
  for await (const line of lines) {
    const { path, ...content } = JSON.parse(line) as { path: string } & Content
    list.set(path, content)
  }
  return list
}

export async function writeFileList(places: BackupFolder, id: string, list: FileList): Promise<Content> {
  const lines = Readable.from(linesOf(list))
  return writeHashed(lines.pipe(createGzip()), places.fileList(id))
}

function* linesOf(list: FileList) {
  for (const [path, content] of list) yield `${JSON.stringify({ path, ...content })}\n`
}
