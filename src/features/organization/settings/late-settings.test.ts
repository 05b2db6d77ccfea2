import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

test('a name that is sent unchanged, while another administrator changes it, is told like any other', async () => {
  const { org, admin, anna } = await cast(await server.organization())
  const client = await anna.register()
  const { name } = org.state.row
  const held = await holdWrites(org.log)
  await held.add(() => admin.patch('/realm', { name: 'Renamed' }))
  const both = await held.add(() => org.owner.patch('/realm', { name, description: 'new' }))
  await held.release()
  expect((await both.answer).body).toMatchObject({ name: 'updated', description: 'updated' })
  expect(org.state.row.name).toBe(name)
  await client.expectStateToMatch()
})

test('of two who give the organization the same name, one changes it', async () => {
  const { org, admin, anna } = await cast(await server.organization())
  const client = await anna.register()
  const held = await holdWrites(org.log)
  for (const who of [admin, org.owner]) await held.add(() => who.patch('/realm', { name: 'Same' }))
  await held.release()
  expect(await client.events()).toMatchObject([{ type: 'realm', property: 'name', value: 'Same' }])
})
