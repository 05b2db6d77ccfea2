import { z } from 'zod'
import { allEndpoints } from '../../src/features/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import type { Declared } from './wild-values.ts'

// All operations, as the server itself describes them.

export type Operation = {
  method: string
  path: string
  declared: Declared[]
  takesFiles: boolean
  /** Whether it stands at the root, beside the API. */
  isRoot: boolean
}

export function filledPath({ path }: Operation, sent: Record<string, string>) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sent[name]!))
}

export function operations(): Operation[] {
  const atRoot = allEndpoints.filter(({ root }) => root).map(({ root: _, ...endpoint }) => endpoint)
  return [...operationsOf(allEndpoints, false), ...operationsOf(atRoot, true)]
}

/** Exactly what is declared. Only the fields of a registration are declared elsewhere. */
export function successSchema({ method, path }: Operation): z.ZodType {
  const { returns } = allEndpoints.find((endpoint) => endpoint.method === method && endpoint.path === path)!
  if (returns instanceof z.ZodType) return returns
  const fields = { result: z.literal('success'), msg: z.literal(''), ...returns }
  return path === '/register' ? z.looseObject(fields) : z.strictObject(fields)
}

function operationsOf(endpoints: Endpoint[], isRoot: boolean): Operation[] {
  const { paths } = openApiDocument(endpoints, { version: '' }) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      declared: [
        ...withoutHeaders(described.parameters).map(fromParameter),
        ...fromBody(described.requestBody),
      ],
      takesFiles: described.requestBody?.content['multipart/form-data'] !== undefined,
      isRoot,
    })),
  )
}

function withoutHeaders(parameters: Parameter[]) {
  return parameters.filter((parameter) => parameter.in !== 'header')
}

function fromParameter(parameter: Parameter): Declared {
  const { name, required, schema, content } = parameter
  return {
    name,
    inPath: parameter.in === 'path',
    isJson: content !== undefined,
    isRequired: required,
    schema: schema ?? content!['application/json']!.schema,
  }
}

function fromBody(body: Described['requestBody']): Declared[] {
  if (!body) return []
  // Here are no files, only what goes with them.
  const [{ schema, encoding }] = Object.values(body.content) as [Body]
  const sent = Object.entries(schema.properties).filter(([, declared]) => !('contentMediaType' in declared))
  return sent.map(([name, declared]) => ({
    name,
    inPath: false,
    isJson: name in encoding,
    isRequired: schema.required?.includes(name) ?? false,
    schema: declared,
  }))
}

type Document = { paths: Record<string, Record<string, Described>> }

type Described = {
  parameters: Parameter[]
  requestBody?: { content: Record<string, Body> }
}

type Body = {
  schema: { properties: Record<string, object>; required?: string[] }
  encoding: Record<string, object>
}

type Parameter = {
  name: string
  in: string
  required: boolean
  schema?: object
  content?: Record<string, { schema: object }>
}

export function nameOf({ method, path }: Operation) {
  return `${method} ${path}`
}
