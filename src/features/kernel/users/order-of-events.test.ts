import { expect, test } from 'vitest'
import { newOrganization } from '../../../../test/organization.ts'
import { newDatabase } from '../../../../test/runner/database.ts'
import { startNode } from '../../../../test/test-server.ts'

test('the events of a change have its order, however PostgreSQL finds the rows', async () => {
  const { url, drop } = await newDatabase()
  const plan = new URLSearchParams({ options: '-c enable_nestloop=off -c enable_mergejoin=off' })
  const node = await startNode(`${url}${url.includes('?') ? '&' : '?'}${plan}`)
  try {
    const org = await newOrganization(node, '')
    const anna = await org.person()
    const bot = await org.bot(anna)
    const client = await org.owner.register({ event_types: ['realm_user'] })
    // Her row stands behind that of her bot from now on.
    await org.owner.patch(`/users/${anna.id}`, { full_name: 'Anna Berg' })
    await client.events()
    await org.owner.delete(`/users/${anna.id}`)
    expect((await client.events()).map(({ person }) => person.user_id)).toEqual([anna.id, bot.id])
  } finally {
    await node.close()
    await drop()
  }
})
