import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { badRequest } from '../lib/api-error.ts'
import { guard, ignore } from '../lib/guard.ts'
import { limits } from '../lib/limits.ts'

type Sizes = { fieldSize: number; fileSize?: number; files?: number }

/** What becomes of the parts of a body, as they come. What these functions throw refuses the whole body. */
type MultipartReader = {
  /** Bytes of the body that have come, before they are read. */
  bytes?(count: number): void
  field(name: string, value: string): void
  /** `name`: what the client calls the file; empty where nothing was chosen in a browser's form. */
  file?(name: string, type: string, content: BusboyFileStream): void
  /** The body is refused: nothing more of the source is read here. */
  refused?(error: Error): void
}

type Multipart = {
  /** Rejects with what the body was refused for. */
  finished: Promise<void>
  refuse(error: Error): void
}

/**
 * Reads a body of several parts. It refuses, with 400, one that cannot be read, that has a part without a name, or more parts
 * than any request needs. Throws 400 for a content type that says too little.
 */
export function readMultipart(
  source: Readable,
  contentType: string,
  sizes: Sizes,
  reader: MultipartReader,
): Multipart {
  const parser = newParser(contentType, sizes)
  let refuse: (error: Error) => void = ignore
  const finished = new Promise<void>((resolve, reject) => {
    refuse = (error) => {
      source.off('data', feed).off('end', end)
      reader.refused?.(error)
      reject(error)
    }
    // In place of source.pipe(parser), where nobody would catch what the parser throws at odd bytes.
    const feed = guard(refuse, (piece: Buffer) => {
      reader.bytes?.(piece.length)
      if (!parser.write(piece)) source.pause()
    })
    const end = guard(refuse, () => parser.end())
    source.on('data', feed).on('end', end)
    const goOn = guard(refuse, () => source.resume())
    parser.on('drain', goOn)
    parser.on('finish', guard(refuse, resolve))
  })
  listen(parser, reader, refuse)
  return { finished, refuse }
}

function listen(parser: BusboyInstance, reader: MultipartReader, refuse: (error: Error) => void) {
  const failing = (error: Error) => () => refuse(error)
  parser.on('partsLimit', guard(refuse, failing(tooMany())))
  parser.on('error', guard(refuse, failing(malformed())))
  // Despite its types, the parser names nothing that has no name.
  const onField = (name: string | undefined, value: string) => {
    if (name === undefined) throw malformed()
    reader.field(name, value)
  }
  parser.on('field', guard(refuse, onField))
  const onFile = (field: string | undefined, content: BusboyFileStream, ...about: (string | undefined)[]) => {
    // It may break off before anybody reads it.
    content.on('error', ignore)
    const [name = '', , type = ''] = about
    if (field === undefined) throw malformed()
    if (reader.file) reader.file(name, type, content)
    else content.resume()
  }
  parser.on('file', guard(refuse, onFile))
}

function newParser(contentType: string, sizes: Sizes): BusboyInstance {
  const most = { parts: limits.parametersPerRequest, fields: limits.parametersPerRequest }
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: { ...sizes, ...most } })
  } catch {
    throw malformed()
  }
}

function malformed() {
  return badRequest('Malformed multipart body')
}

export function tooMany() {
  return badRequest('Too many parameters')
}
