import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { messageOf } from '../../lib/errors.ts'
import { type Content, writeHashed } from '../../lib/files/hashed-file.ts'
import { ignore } from '../../lib/guard.ts'
import type { Chosen } from './choose.ts'
import type { BackupFolder } from './manifest.ts'

/** The files of a backup, by their paths in the store. */
export type FileList = Map<string, Content>

export async function readFileList(places: BackupFolder, id: string): Promise<FileList> {
  const list: FileList = new Map()
  const file = places.fileList(id)
  try {
    for await (const line of linesIn(file)) {
      const { path, ...content } = JSON.parse(line) as { path: string } & Content
      list.set(path, content)
    }
  } catch (error) {
    throw new Error(`The list of files ${file} cannot be read: ${messageOf(error)}.`, { cause: error })
  }
  return list
}

/**
 * Returns the files that a restore needs. Of a moment between two backups, these are the files of both: those deleted after
 * that moment are only in the earlier one.
 */
export async function readChosenFiles(places: BackupFolder, { manifest, before }: Chosen): Promise<FileList> {
  const earlier = before ? await readFileList(places, before.id) : []
  return new Map([...earlier, ...(await readFileList(places, manifest.id))])
}

async function* linesIn(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip()
  // Each error, also one of the source, ends the reading below.
  pipeline(createReadStream(file), unpacked, ignore)
  unpacked.setEncoding('utf8')
  let rest = ''
  for await (const piece of unpacked) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

export async function writeFileList(places: BackupFolder, id: string, list: FileList): Promise<Content> {
  const lines = Readable.from(linesOf(list))
  return writeHashed(lines.pipe(createGzip()), places.fileList(id))
}

function* linesOf(list: FileList) {
  for (const [path, content] of list) yield `${JSON.stringify({ path, ...content })}\n`
}
