import { z } from 'zod'
import { allowAnonymous } from '../../../http/access.ts'
import { type Endpoint, query } from '../../../http/endpoint.ts'
import { openApiDocument } from '../../../http/openapi.ts'

/** `endpoints`: all operations, including this one. */
export function getOpenApi(endpoints: () => Endpoint[]): Endpoint {
  let document: object | undefined
  return query('GET /openapi.json', {
    summary: 'Get this document, the OpenAPI description of all operations',
    access: allowAnonymous,
    params: {},
    returns: z.looseObject({ openapi: z.string() }),
    async handle({ site }) {
      document ??= openApiDocument(endpoints(), site)
      return document
    },
  })
}
