import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BusboyFileStream } from '@fastify/busboy'
import type { ByteRange, FileStore, IncomingFile } from '../../adapters/files/file-store.ts'
import { ApiError } from '../../lib/api-error.ts'
import { guard } from '../../lib/guard.ts'
import { httpLimits } from '../limits.ts'
import { cutOff, type FormFields } from './body.ts'
import { readMultipart } from './multipart.ts'

/** A file that came with a request. It is deleted after the response, unless an operation has kept it. */
export class ReceivedFile {
  /** The client's name for it, without folders: any text. */
  readonly name: string
  /** The client's type for it; not to be trusted. */
  readonly statedType: string
  readonly size: number
  private readonly incoming: IncomingFile

  constructor(name: string, statedType: string, incoming: IncomingFile) {
    this.name = name
    this.statedType = statedType
    this.size = incoming.size
    this.incoming = incoming
  }

  /** Reads the content, or a range of it; any number of times. */
  read(range?: ByteRange): Readable {
    return this.incoming.read(range)
  }

  /** The whole content in memory: for what has a small limit. */
  bytes(): Promise<Buffer> {
    return buffer(this.incoming.read())
  }

  /** Stores it in the file store, under this path. Call it once. */
  keep(path: string): Promise<void> {
    return this.incoming.keep(path)
  }

  /** Removes it, unless it has been kept. The dispatcher does so in the end. */
  discard(): Promise<void> {
    return this.incoming.discard()
  }
}

/** A multipart body with files. `discard` removes those that have not been kept. */
type Received = { fields: FormFields; files: ReceivedFile[]; discard(): Promise<void> }

const { filesPerRequest, multipartOverheadBytes } = httpLimits

/**
 * Reads a multipart body and streams its files to the store. `max`: how many bytes all files may have together. Nothing of a refused body
 * is kept, and its rest is discarded, so that the connection can be used again. Throws 400 for a body that is too large or malformed.
 */
export async function receiveFiles(
  request: IncomingMessage,
  store: FileStore,
  max: number,
): Promise<Received> {
  if (Number(request.headers['content-length'] ?? 0) > max + multipartOverheadBytes) throw tooLarge(max)
  const pending: Promise<ReceivedFile>[] = []
  try {
    const fields = await parse(request, max, (name, type, content) => {
      const file = receive(store, name, type, content, max)
      pending.push(file)
      return file
    })
    const files = await Promise.all(pending)
    if (files.reduce((sum, file) => sum + file.size, 0) > max) throw tooLarge(max)
    return { fields, files, discard: () => discardAll(pending) }
  } catch (error) {
    request.resume()
    await discardAll(pending)
    throw error
  }
}

async function receive(store: FileStore, name: string, type: string, content: BusboyFileStream, max: number) {
  const file = new ReceivedFile(name, type, await store.receive(content))
  if (!content.truncated) return file
  await file.discard()
  throw tooLarge(max)
}

async function discardAll(pending: Promise<ReceivedFile>[]) {
  for (const result of await Promise.allSettled(pending)) {
    if (result.status === 'fulfilled') await result.value.discard()
  }
}

async function parse(
  request: IncomingMessage,
  max: number,
  take: (name: string, type: string, content: BusboyFileStream) => Promise<unknown>,
): Promise<FormFields> {
  const fields: FormFields = new Map()
  const unfinished = new Set<BusboyFileStream>()
  let [seen, inFields, isRefused] = [0, 0, false]
  const sizes = { fieldSize: multipartOverheadBytes, fileSize: max, files: filesPerRequest }
  const { finished, refuse } = readMultipart(request, request.headers['content-type'] ?? '', sizes, {
    bytes(count) {
      seen += count
      if (seen > max + multipartOverheadBytes) throw tooLarge(max)
    },
    field(name, value) {
      inFields += name.length + value.length
      if (inFields > multipartOverheadBytes) throw tooLarge(max)
      fields.set(name, value)
    },
    file(name, type, content) {
      // A browser's form sends a nameless one where nothing was chosen.
      if (name === '' || isRefused) return content.resume()
      unfinished.add(content)
      const forget = () => unfinished.delete(content)
      content.once('close', guard(refuse, forget))
      take(name, type, content).catch(refuse)
    },
    refused(error) {
      isRefused = true
      // A reader of one of these files learns that it is incomplete.
      for (const content of unfinished) content.destroy(error)
    },
  })
  const checkWhole = () => {
    if (!request.complete) throw cutOff()
  }
  if (request.destroyed) refuse(cutOff())
  request.once('close', guard(refuse, checkWhole))
  await finished
  return fields
}

function tooLarge(max: number) {
  const mib = Math.floor(max / 1024 / 1024)
  return new ApiError(`Uploaded file is larger than the allowed limit of ${mib} MiB`)
}
