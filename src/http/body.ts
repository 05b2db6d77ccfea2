import { Busboy } from '@fastify/busboy'
import { badRequest } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'

/** Fields by name; of a name sent twice, the last one counts. */
export type Fields = Map<string, string>

/**
 * The fields of a body: form-encoded or multipart, on any method. Anything else holds no parameters for this API, so
 * it is not looked at.
 */
export async function parseBody(body: Buffer | undefined, contentType: string): Promise<Fields> {
  if (!body?.length) return new Map()
  if (contentType.startsWith('application/x-www-form-urlencoded')) return parseForm(body.toString())
  if (contentType.startsWith('multipart/form-data')) return parseMultipart(body, contentType)
  return new Map()
}

export function parseForm(text: string): Fields {
  const fields: Fields = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    fields.set(name, value)
    if (fields.size > limits.parametersPerRequest) throw badRequest('Too many parameters')
  }
  return fields
}

function parseMultipart(body: Buffer, contentType: string): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const fields: Fields = new Map()
    const malformed = () => reject(badRequest('Malformed multipart body'))
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { fields: limits.parametersPerRequest, fieldSize: limits.requestBody },
      })
      parser.on('field', (name: string, value: string) => fields.set(name, value))
      parser.on('file', (_name, file) => file.resume())
      parser.on('finish', () => resolve(fields))
      parser.on('error', malformed)
      parser.end(body)
    } catch {
      malformed()
    }
  })
}
