import { expect, test } from 'vitest'
import { z } from 'zod'
import { sharedServer } from '../../test/test-server.ts'
import { allEndpoints } from '../features/index.ts'
import { allowAnonymous, requireUser } from './access.ts'
import { command, query } from './endpoint.ts'
import { httpLimits } from './limits.ts'
import { openApiDocument } from './openapi.ts'
import { integer, integers, json, pathInteger, text } from './params.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is compared as it stands
const document = (...made: Parameters<typeof openApiDocument>[0]): any =>
  openApiDocument(made, { version: '1.2.3' })

const { organization } = sharedServer()

test('a query with a path parameter, JSON-coded and plain ones', () => {
  const { paths } = document(
    query('GET /shelves/{shelf_id}/books', {
      summary: 'List the books of a shelf',
      since: 7,
      access: requireUser,
      params: {
        shelf_id: pathInteger(),
        ids: integers().default([]),
        word: text({ max: 20 }).alias('term'),
      },
      returns: { books: z.array(z.string()), more: z.boolean().optional() },
      handle: async () => ({ books: [] }),
    }),
  )
  expect(paths['/shelves/{shelf_id}/books'].get).toMatchObject({
    operationId: 'getShelvesShelfIdBooks',
    summary: 'List the books of a shelf',
    'x-feature-level': 7,
    parameters: [
      { name: 'shelf_id', in: 'path', required: true, schema: { type: 'integer' } },
      {
        name: 'ids',
        in: 'query',
        required: false,
        content: {
          'application/json': { schema: { type: 'array', items: { type: 'integer' }, default: [] } },
        },
      },
      {
        name: 'word',
        in: 'query',
        required: true,
        schema: { type: 'string', maxLength: 20, 'x-aliases': ['term'] },
      },
    ],
  })
  const { schema } = paths['/shelves/{shelf_id}/books'].get.responses[200].content['application/json']
  expect(schema.properties).toMatchObject({
    result: { const: 'success' },
    books: { type: 'array', items: { type: 'string' } },
    more: { type: 'boolean' },
  })
  expect(schema.required).toEqual(['result', 'msg', 'books'])
})

test('a command takes a form whose values are JSON or plain', () => {
  const { paths } = document(
    command('POST /books', {
      summary: 'Add a book',
      access: allowAnonymous,
      params: { title: text(), year: integer().optional(), by: json(z.strictObject({ name: z.string() })) },
      returns: {},
      handle: async () => ({}),
    }),
  )
  const { post } = paths['/books']
  expect(post.security).toEqual([])
  expect(post.requestBody).toEqual({
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties: {
            title: { type: 'string', maxLength: httpLimits.textLength, pattern: '^[^\\u0000]*$' },
            year: { type: 'integer' },
            by: {
              type: 'object',
              properties: { name: { type: 'string', pattern: '^[^\\u0000]*$' } },
              required: ['name'],
              additionalProperties: false,
            },
          },
          required: ['title', 'by'],
        },
        encoding: { year: { contentType: 'application/json' }, by: { contentType: 'application/json' } },
      },
    },
  })
})

test('two operations on one path stand together', () => {
  const about = { summary: '', access: requireUser, params: {}, returns: {}, handle: async () => ({}) }
  const { paths } = document(query('GET /books', about), command('POST /books', about))
  expect(Object.keys(paths['/books'])).toEqual(['get', 'post'])
})

test('the server describes each of its operations once, to everyone', async () => {
  const { visitor } = await organization()
  const { status, headers, body } = await visitor.get('/openapi.json')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch('application/json')
  expect(body).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: '/api/v1' }],
    info: { version: expect.any(String) },
  })
  expect(body).not.toHaveProperty('result')
  const described = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const inApi = allEndpoints.filter(({ root }) => !root)
  expect(described.sort()).toEqual(inApi.map(({ method, path }) => `${method} ${path}`).sort())
})

test('what it describes is well formed', async () => {
  const { visitor } = await organization()
  const { body } = await visitor.get('/openapi.json')
  const ids = new Set<string>()
  for (const [path, methods] of Object.entries<Record<string, Operation>>(body.paths)) {
    for (const operation of Object.values(methods)) {
      expect(ids, operation.operationId).not.toContain(operation.operationId)
      ids.add(operation.operationId)
      expect(operation.summary, path).toMatch(/^[A-Z].*[^.]$/)
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      for (const { schema, content } of operation.parameters) {
        expect(schema ?? content?.['application/json']?.schema, path).toBeTypeOf('object')
      }
    }
  }
  for (const reference of JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    expect(body).toHaveProperty(reference[1]!.split('/'))
  }
})

test('every list and dictionary that it takes has a declared end', async () => {
  const { visitor } = await organization()
  const { body } = await visitor.get('/openapi.json')
  const endless: string[] = []
  for (const [path, methods] of Object.entries<Record<string, Operation>>(body.paths)) {
    for (const [method, { parameters, requestBody }] of Object.entries(methods)) {
      const inQuery = parameters.map(({ schema, content }) => schema ?? content?.['application/json']?.schema)
      const inBody = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)
      // A text within a value ends where the request does; the number of such texts is what the value declares.
      const lists = [...inQuery, ...inBody].flatMap((schema) => [...schemasIn(schema)])
      const isEndless = lists.some(
        (schema) =>
          (schema.type === 'array' && !schema.prefixItems && schema.maxItems === undefined) ||
          (typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined),
      )
      if (isEndless) endless.push(`${method.toUpperCase()} ${path}`)
    }
  }
  expect(endless).toEqual([])
})

test('its patterns are the same in all languages: without look-around, categories and octal escapes', async () => {
  const { body } = await (await organization()).visitor.get('/openapi.json')
  const patterns = [...schemasIn(body)].flatMap(({ pattern }) => (typeof pattern === 'string' ? pattern : []))
  expect(patterns.length).toBeGreaterThan(100)
  expect(patterns.filter((one) => /\(\?[^:]|\\[pP]\{|\\0/.test(one))).toEqual([])
})

/** A schema and all that are parts of it. */
function* schemasIn(schema: unknown): Generator<Record<string, unknown>> {
  if (typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield schema as Record<string, unknown>
  for (const part of Object.values(schema)) yield* schemasIn(part)
}

test('states what operations check themselves', async () => {
  const { visitor } = await organization()
  const { paths } = (await visitor.get('/openapi.json')).body
  const form = (operation: { requestBody: { content: object } }) =>
    Object.values(operation.requestBody.content)[0]
  const send = form(paths['/messages'].post)
  expect(send.schema.dependentRequired).toEqual({ queue_id: ['local_id'] })
  const types = send.schema.properties.to.anyOf.map(({ type }: { type: string }) => type)
  expect(types).toEqual(['array', 'array', 'integer', 'string'])
  const user = form(paths['/users/{user_id}'].patch).schema.properties
  expect(user.role.enum).toEqual([100, 200, 300, 400, 600])
  expect(user.full_name).toMatchObject({ minLength: 2, maxLength: 100 })
  expect(form(paths['/user_topics'].post).schema.properties.visibility_policy.enum).toEqual([0, 1, 2, 3])
  const reaction = form(paths['/messages/{message_id}/reactions'].post).schema.properties.reaction_type
  expect(reaction.enum).toContain('realm_emoji')
  const draft = form(paths['/drafts'].post).schema.properties.drafts.items.properties
  expect(draft.type.enum).toEqual(['', 'stream', 'private'])
  expect(draft.timestamp.type).toBe('integer')
  const narrow = paths['/messages'].get.parameters.find(({ name }: { name: string }) => name === 'narrow')
  expect(narrow.content['application/json'].schema).toMatchObject({ type: 'array', maxItems: 100 })
  const answer = paths['/messages'].get.responses[200].content['application/json'].schema
  const edit = answer.properties.messages.items.properties.edit_history.items.properties
  expect(Object.keys(edit)).toContain('prev_rendered_content')
  expect(Object.keys(paths['/realm/icon'].get.responses)).toEqual(['302', 'default'])
})

test('a parameter that needs another one is refused without it', async () => {
  const { owner } = await organization()
  const message = { type: 'direct', to: [owner.id], content: 'hello', queue_id: 'x' }
  const { body } = await owner.post('/messages', message)
  expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'local_id' })
})

type Operation = {
  requestBody?: { content: Record<string, { schema: object }> }
  operationId: string
  summary: string
  parameters: {
    name: string
    in: string
    schema?: object
    content?: Record<string, { schema: object }>
  }[]
}
