import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allEndpoints, allSitePages } from '../../../src/features/index.ts'
import { operationKey, webCalls } from '../web-calls.ts'

// docs/web-operations.md says where the web client offers each operation. It is compared with the operations, and with the
// requests that the client's sources name.

const sections = new Map(
  readFileSync(new URL('../../../docs/web-operations.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const rows = lines.flatMap((line) => /^\| `([A-Z]+ \S+)` \|/.exec(line)?.[1] ?? [])
      return [title.trim(), rows]
    }),
)
const inClient = sections.get('In the client') ?? []
const calls = webCalls()

/** Requests whose path is put together elsewhere, and what the browser asks for by itself. */
const notWritten = [
  'DELETE /default_stream_groups/{group_id}',
  'DELETE /invites/multiuse/{invite_id}',
  'DELETE /invites/{invite_id}',
  'DELETE /messages/{message_id}/reactions',
  'DELETE /realm/domains/{domain}',
  'DELETE /realm/profile_fields/{field_id}',
  'DELETE /rookery/push_subscriptions',
  'GET /',
  'GET /avatar/{email_or_id}',
  'GET /calls/bigbluebutton/join',
  'GET /calls/zoom/complete',
  'GET /calls/zoom/register',
  'GET /data_exports/{export_id}/{file}',
  'GET /events',
  'GET /external_content/{digest}/{address}',
  'GET /rookery/push_subscriptions',
  'GET /user_avatars/{path}',
  'GET /user_uploads/thumbnail/{realm_id}/{path}',
  'GET /user_uploads/{realm_id}/{path}',
  'PATCH /default_stream_groups/{group_id}/streams',
  'PATCH /realm/domains/{domain}',
  'POST /logout',
  'POST /messages/{message_id}/reactions',
  'POST /streams/{stream_id}/delete_topic',
  'POST /rookery/push_subscriptions',
  'POST /user_uploads',
  'POST /users/{user_id}/status',
]

test('every operation is on the page once', () => {
  const all = [
    ...new Set([...allEndpoints, ...allSitePages].map(({ method, path }) => `${method} ${path}`)),
  ].sort()
  expect([...sections.values()].flat().sort()).toEqual(all)
})

test('what the page says to be in the client is requested there', () => {
  const isRequested = (row: string) => {
    const [method = '', path = ''] = row.split(' ')
    return calls.has(operationKey(method, path)) || notWritten.includes(row)
  }
  expect(inClient.filter((row) => !isRequested(row))).toEqual([])
})

test('what the client requests is on the page as in the client', () => {
  const listed = new Set(
    inClient.map((row) => {
      const [method = '', path = ''] = row.split(' ')
      return operationKey(method, path)
    }),
  )
  expect([...calls].filter(([key]) => !listed.has(key))).toEqual([])
})
