import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, gunzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { expect } from 'vitest'
import type { FileStore } from '../../src/adapters/files/file-store.ts'
import type { Organization } from '../organization.ts'
import type { Person } from '../person.ts'
import { pathsIn } from '../stored-files.ts'

export function download(who: { raw: Person['raw'] }, url: string) {
  return who.raw({ method: 'GET', path: new URL(url).pathname })
}

/** The files of an archive, by name. */
export async function filesAt(who: Person, url: string): Promise<Record<string, string>> {
  const { status, bytes } = await download(who, url)
  expect(status).toBe(200)
  const files: Record<string, string> = {}
  const extract = tar.extract()
  Readable.from([gunzipSync(bytes)]).pipe(extract)
  for await (const entry of extract) {
    const { header } = entry as unknown as { header: { name: string } }
    files[header.name] = await text(entry)
  }
  return files
}

/** The rows of a table in an archive. */
export function rowsAt(files: Record<string, string>, table: string) {
  const content = files[`tables/${table}.ndjson`]!
  return content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

export function wholeText(files: Record<string, string>) {
  return Object.values(files).join('\n')
}

/** An organization with an administrator and two users in one channel, and a function that sends a message. */
export async function sayingStage(org: Organization) {
  const admin = await org.person({ role: 'administrator' })
  const [ann, ben] = [await org.person(), await org.person()]
  const tea = await org.channel({ name: 'tea', subscribers: [admin, ann, ben] })
  const say = async (who: Person, to: number | number[], content: string) => {
    const type = typeof to === 'number' ? 'channel' : 'direct'
    const { body } = await who.post('/messages', { type, to, topic: 'x', content })
    expect(body.result).toBe('success')
    return body.id as number
  }
  return { org, admin, ann, ben, tea, say }
}

/** The paths of the stored exports of an organization. */
export async function storedExports(
  server: { adapters: { files: FileStore } },
  { id }: Organization,
): Promise<string[]> {
  return pathsIn(server.adapters.files, `${id}/exports/`)
}

/** Writes an archive anew. `change`: returns the files that come in place of one. Returns where it is. */
export async function rewrittenArchive(
  file: string,
  change: (name: string, content: string) => Record<string, string>,
): Promise<string> {
  const extract = tar.extract()
  const passing = pipeline(createReadStream(file), createGunzip(), extract)
  const pack = tar.pack()
  const target = `${file}.changed`
  const writing = pipeline(pack, createGzip(), createWriteStream(target))
  for await (const entry of extract) {
    const { header } = entry as unknown as { header: { name: string } }
    const files = change(header.name, await text(entry))
    for (const [name, changed] of Object.entries(files)) pack.entry({ name }, changed)
  }
  pack.finalize()
  await Promise.all([passing, writing])
  return target
}
