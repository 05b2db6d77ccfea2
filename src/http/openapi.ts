import { z } from 'zod'
import { allowAnonymous } from './access.ts'
import type { Endpoint } from './endpoint.ts'
import { httpLimits } from './limits.ts'
import type { Param } from './params.ts'
import { textPattern } from './params.ts'
import { apiPrefix } from './server.ts'

type Schema = Record<string, unknown>
type Named = [name: string, param: Param<unknown>]

/** Returns the OpenAPI 3.1 document of these operations, except those at the root, made from their declarations alone. */
export function openApiDocument(endpoints: Endpoint[], { version }: { version: string }): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Rookery', version, summary: 'The HTTP API of a Rookery server.' },
    servers: [{ url: apiPrefix }],
    security: [{ basic: [] }, { session: [] }],
    paths: paths(endpoints),
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: "The user's email address and an API key." },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'rookery',
          description: 'The cookie of a browser session.',
        },
      },
      schemas: { Error: errorSchema },
      responses: {
        Error: {
          description: 'The server refused the request.',
          content: { [json]: { schema: reference('Error') } },
        },
      },
    },
  }
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'

const errorSchema = {
  type: 'object',
  properties: {
    result: { const: 'error' },
    msg: { type: 'string', description: 'A message for people. Its wording may change.' },
    code: { type: 'string', description: 'An identifier for programs.' },
  },
  required: ['result', 'msg'],
}

function reference(schema: string) {
  return { $ref: `#/components/schemas/${schema}` }
}

function paths(endpoints: Endpoint[]) {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints.filter(({ root }) => !root)) {
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return paths
}

function operation(endpoint: Endpoint) {
  const { method, path, summary, since, access, spectator, keyInQuery, creates } = endpoint
  const params: Named[] = Object.entries(endpoint.params)
  const inPath = params.filter(([, param]) => param.source === 'path')
  const sent = params.filter(([, param]) => param.source === 'form')
  const takesFiles = params.some(([, param]) => param.source === 'files')
  const inQuery = method === 'GET' || keyInQuery ? sent : []
  return {
    operationId: operationId(method, path),
    summary,
    tags: [path.split('/')[1]],
    ...(since !== undefined && { 'x-feature-level': since }),
    ...((access === allowAnonymous || keyInQuery) && { security: [] }),
    ...(spectator && { security: [{}, { basic: [] }] }),
    parameters: [
      ...inPath.map(pathParameter),
      ...inQuery.map(queryParameter),
      ...(creates ? [idempotencyKey] : []),
    ],
    ...(takesFiles && { requestBody: multipartBody(endpoint, sent) }),
    ...(inQuery.length === 0 && !takesFiles && sent.length > 0 && { requestBody: formBody(endpoint, sent) }),
    responses: {
      ...successResponse(endpoint),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A name for this request. The server carries out a request with the same key only once.',
  schema: { type: 'string', minLength: 1, maxLength: httpLimits.idempotencyKeyLength },
}

function successResponse({ returns, redirects, streams }: Endpoint) {
  if (redirects) return { 302: redirectResponse }
  const content = {
    [json]: { schema: answerSchema(returns) },
    ...(streams && { 'text/event-stream': { schema: { type: 'string' } } }),
  }
  return { 200: { description: 'The request succeeded.', content } }
}

const redirectResponse = {
  description: 'The address is in the header Location.',
  headers: { Location: { schema: { type: 'string' } } },
}

/** GET /messages/{message_id} is getMessagesMessageId. */
function operationId(method: string, path: string) {
  return method.toLowerCase() + path.replace(/[^A-Za-z0-9]+([A-Za-z0-9]|$)/g, (_, next) => next.toUpperCase())
}

function pathParameter([name, param]: Named) {
  return { name, in: 'path', required: true, schema: paramSchema(param) }
}

// Most values are JSON in a query or a form, which OpenAPI calls a parameter with content.
function queryParameter([name, param]: Named) {
  const schema = paramSchema(param)
  const { isRequired: required } = param
  return param.isJson
    ? { name, in: 'query', required, content: { [json]: { schema } } }
    : { name, in: 'query', required, schema }
}

/** A multipart body: one file, under any name, and the fields beside it. */
function multipartBody(endpoint: Endpoint, params: Named[]) {
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  return bodyOf(endpoint, params, multipart, { file })
}

function formBody(endpoint: Endpoint, params: Named[]) {
  return bodyOf(endpoint, params, form)
}

function bodyOf({ requires }: Endpoint, params: Named[], mediaType: string, others: Schema = {}) {
  const fields = Object.fromEntries(params.map(([name, param]) => [name, paramSchema(param)]))
  const required = params.filter(([, param]) => param.isRequired).map(([name]) => name)
  const coded = params.filter(([, param]) => param.isJson).map(([name]) => [name, { contentType: json }])
  const schema = {
    type: 'object',
    properties: { ...fields, ...others },
    ...(required.length > 0 && { required }),
    ...(requires && { dependentRequired: requires }),
  }
  const content = { [mediaType]: { schema, encoding: Object.fromEntries(coded) } }
  return { required: required.length > 0, content }
}

function paramSchema(param: Param<unknown>): Schema {
  const { defaultValue, aliases, documented } = param
  return withoutNullBytes({
    ...('type' in documented || 'anyOf' in documented ? {} : jsonSchema(param.schema)),
    ...documented,
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(aliases.length > 0 && { 'x-aliases': aliases }),
  })
}

/** Adds the pattern of every text, which excludes null bytes, to the texts in a schema that have no pattern of their own. */
function withoutNullBytes(schema: Schema): Schema {
  const parts = Object.entries(schema).map(([key, part]) => [key, isSchemas(part) ? eachSchema(part) : part])
  const made = Object.fromEntries(parts)
  const isFree = made.type === 'string' && !made.enum && !made.pattern
  return isFree ? { ...made, pattern: textPattern } : made
}

function eachSchema(part: Schema | Schema[]) {
  return Array.isArray(part) ? part.map(withoutNullBytes) : withoutNullBytes(part)
}

function isSchemas(part: unknown): part is Schema | Schema[] {
  const [first] = Array.isArray(part) ? part : [part]
  return typeof first === 'object' && first !== null
}

function answerSchema(returns: Endpoint['returns']): Schema {
  if (returns instanceof z.ZodType) return jsonSchema(returns)
  return jsonSchema(
    z.object({
      result: z.literal('success'),
      msg: z.literal(''),
      ...returns,
      ignored_parameters_unsupported: z.array(z.string()).optional(),
    }),
  )
}

function jsonSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => leaveOutWhatEveryIntegerHas(jsonSchema),
  })
  return made
}

function leaveOutWhatEveryIntegerHas(schema: { minimum?: number; maximum?: number }) {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
