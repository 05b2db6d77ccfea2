import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { badRequest } from '../../lib/api-error.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { httpLimits } from '../limits.ts'

type Sizes = { fieldSize: number; fileSize?: number; files?: number }

/** Receives the parts of a body as they arrive. What these functions throw refuses the whole body. */
type MultipartReader = {
  /** Receives the number of bytes that have arrived, before they are parsed. */
  bytes?(count: number): void
  field(name: string, value: string): void
  /** `name`: the client's name for the file; empty where a browser's form has no file chosen. */
  file?(name: string, type: string, content: BusboyFileStream): void
  /** The body is refused: this function reads no more of the source. */
  refused?(error: Error): void
}

type Multipart = {
  /** Rejects with the reason for which the body was refused. */
  finished: Promise<void>
  refuse(error: Error): void
}

/**
 * Reads a multipart body. Throws 400 for a body that cannot be read, that has a part without a name, or more parts than
 * any request needs, and for an incomplete content type.
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
    // Replaces source.pipe(parser), where nothing would catch what the parser throws at odd bytes.
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
    // The stream may fail before it is read.
    content.on('error', ignore)
    const [name = '', , type = ''] = about
    if (field === undefined) throw malformed()
    if (reader.file) reader.file(name, type, content)
    else content.resume()
  }
  parser.on('file', guard(refuse, onFile))
}

function newParser(contentType: string, sizes: Sizes): BusboyInstance {
  const most = { parts: httpLimits.parametersPerRequest, fields: httpLimits.parametersPerRequest }
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
