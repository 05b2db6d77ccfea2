import { filePart } from '../../../http/body/body.ts'
import type { RequestInfo } from '../../../http/endpoint.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { uploadLimits } from './limits.ts'

// The protocol for resumable uploads of https://tus.io, version 1.0.0: its headers.

const version = '1.0.0'

export const maxBytes = uploadLimits.uploadMib * 1024 * 1024

/** Headers of every response. */
export const tusHeaders = {
  'tus-resumable': version,
  'tus-version': version,
  'tus-extension': 'creation,creation-with-upload,termination,expiration',
  'tus-max-size': String(maxBytes),
}

/** Throws 412 if the client speaks another version of the protocol. */
export function checkVersion({ header }: RequestInfo) {
  if (header('tus-resumable') === version) return
  throw new ApiError(`Tus-Resumable must be ${version}`, 'BAD_REQUEST', 412)
}

/** Throws 415 if the body is no part of a file. */
export function checkPart({ header }: RequestInfo) {
  if (header('content-type')?.toLowerCase() === filePart) return
  throw new ApiError(`Content-Type must be ${filePart}`, 'BAD_REQUEST', 415)
}

/** Returns the number of bytes that a header states. */
export function statedBytes({ header }: RequestInfo, name: string): number {
  const value = header(name.toLowerCase())
  if (value === undefined) throw badRequest(`Missing the HTTP header '${name}'`)
  if (!/^\d{1,15}$/.test(value)) throw badRequest(`${name} is not a number of bytes`)
  return Number(value)
}

/** Returns the value of a name in Upload-Metadata: pairs of a name and Base64, separated by commas. */
export function metadata({ header }: RequestInfo, name: string): string | undefined {
  for (const pair of (header('upload-metadata') ?? '').split(',')) {
    const [key, value = '', more] = pair.trim().split(' ')
    const isValid = more === undefined && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
    if (!isValid) throw badRequest('Upload-Metadata is malformed')
    if (key === name) return Buffer.from(value, 'base64').toString().replaceAll('\0', '')
  }
  return undefined
}

export function tooLarge() {
  return new ApiError(
    `Uploaded file is larger than the allowed limit of ${uploadLimits.uploadMib} MiB`,
    'BAD_REQUEST',
    413,
  )
}
