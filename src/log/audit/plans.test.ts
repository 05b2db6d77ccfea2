import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { oneOfEverything } from '../../../test/random/one-of-everything.ts'
import { repository } from '../../../test/runner/source.ts'
import { testServer } from '../../../test/test-server.ts'
import { tableShapes } from '../../db/catalog.ts'
import { namesIn } from '../../lib/collections/records.ts'
import { isStateTable } from '../state-tables.ts'
import { auditPlanOf } from './kinds.ts'
import { notAudited } from './not-audited.ts'
import { auditPlans } from './plans.ts'

const { node, organization } = (() => {
  const server = testServer()
  return { node: () => server.node, organization: server.organization }
})()

const audited = namesIn(auditPlans)

test('every table is audited, or it says why not', async () => {
  const shapes = await tableShapes(node().app.realms.connections.read)
  const declared = [...audited, ...Object.keys(notAudited)]
  expect(declared.sort()).toEqual(shapes.map(({ name }) => name).sort())
})

test('every column of an audited table is recorded, secret, or ignored, and only one of these', async () => {
  for (const { name, columns } of await tableShapes(node().app.realms.connections.read)) {
    const plan = auditPlanOf(name as (typeof audited)[number])
    if (!plan) continue
    const { id, members, kept, secret = [], ignored = [] } = plan
    const lists = [...kept, ...secret, ...ignored]
    expect(new Set(lists).size, name).toBe(lists.length)
    // The id of the object and of a member stand in every entry.
    const all = new Set([...lists, ...(id ? [id] : []), ...(members ? [members.column] : [])])
    expect([...all].sort(), name).toEqual(columns.filter((column) => column !== 'realm_id').sort())
  }
})

test('columns that hold secrets are declared so', () => {
  const isSecret = /hash|token|sealed|secret|private/
  const open = audited.flatMap((table) =>
    (auditPlanOf(table)?.kept ?? []).filter((column) => isSecret.test(column) && column !== 'is_private'),
  )
  expect(open).toEqual([])
})

test('no secret of an organization with one of everything stands in its log', async () => {
  const org = await organization()
  await oneOfEverything(org)
  const { read } = node().app.realms.connections
  const [log] = await read.rows(
    sql<{ text: string; count: number }>`
      SELECT string_agg(e::text, ' ') AS text, count(*) FROM audit_entry e WHERE realm_id = ${org.id}`,
  )
  expect(log!.count).toBeGreaterThan(20)
  for (const table of audited) {
    for (const column of auditPlanOf(table)?.secret ?? []) {
      const rows = await read.rows(
        sql<{ value: string }>`
          SELECT ${sql.ref(column)}::text AS value FROM ${sql.table(table)}
          WHERE realm_id = ${org.id} AND length(${sql.ref(column)}::text) > 4`,
      )
      for (const { value } of rows) expect(log!.text, `${table}.${column}`).not.toContain(value)
    }
  }
})

// A Change sees what it writes by its own methods; it cannot see what raw SQL does to tables outside of the state.
test('audited tables are written through a Change, except where old rows are removed', () => {
  const tables = audited.filter((table) => !isStateTable(table)).join('|')
  const write = new RegExp(`(INSERT INTO|UPDATE|DELETE FROM) (${tables})\\b`, 'g')
  const product = repository().filter(({ path }) =>
    /^src\/(features|cli|http|queues|setup)\/.*(?<!\.test)\.ts$/.test(path),
  )
  const found = product.flatMap(({ path, text }) =>
    [...text.matchAll(write)].map(([words]) => `${path}: ${words}`),
  )
  expect(found).toEqual([
    'src/features/accounts/kernel/invitations/invitations.ts: DELETE FROM invitation',
    'src/features/accounts/kernel/login/confirm-login.ts: DELETE FROM login',
  ])
})
