import { z } from 'zod'
import { anyone } from '../../http/access.ts'
import { type Endpoint, query } from '../../http/endpoint.ts'
import { openApiDocument } from '../../http/openapi.ts'

/** `endpoints`: all operations, this one among them. */
export const getOpenApi = (endpoints: () => Endpoint[]) =>
  query('GET /openapi.json', {
    summary: 'Get this document',
    access: anyone,
    params: {},
    returns: z.looseObject({ openapi: z.string() }),
    async handle({ site }) {
      document ??= openApiDocument(endpoints(), site)
      return document
    },
  })

/** The same for every request, so it is made once. */
let document: object | undefined
