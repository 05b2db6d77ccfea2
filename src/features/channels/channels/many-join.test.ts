import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization } = testServer()

const users = 4_000
const channels = 50

/** An organization with a group of very many users, and one that private channels name. */
async function groups() {
  const org = await organization()
  const members = await org.crowd(users)
  const create = async (name: string, fields: object) => {
    const { body } = await org.owner.post('/user_groups/create', { name, description: '', ...fields })
    return body.group_id as number
  }
  const [crowd, named] = [await create('crowd', { members }), await create('named', { members: [] })]
  for (let i = 0; i < channels; i++) await org.channel({ isPrivate: true, subscribers: [org.owner] })
  await nameIn(org, named)
  return { org, crowd, named }
}

/** Lets the group subscribe to all channels of the organization. */
function nameIn({ log }: Organization, group: number) {
  return log.commit(async (change) => {
    for (const { id, permissions } of change.state.channels.values())
      await change.update('channel', { id, permissions: { ...permissions, can_subscribe_group: group } })
  })
}

/** Counts the statements that the database works on. */
function statements(): { open: number } {
  const underWay = { open: 0 }
  const { query } = pg.Client.prototype
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const result: unknown = Reflect.apply(query, this, args)
    if (!(result instanceof Promise)) return result
    underWay.open += 1
    const end = () => {
      underWay.open -= 1
    }
    result.then(end, end)
    return result
  } as typeof query)
  onTestFinished(() => void vi.restoreAllMocks())
  return underWay
}

test('others get answers while it is found who sees channels when a group of very many users joins another', async () => {
  const { org, crowd, named } = await groups()
  // One user alone would come to the limit of requests a minute on a slow machine.
  const others = await Promise.all(Array.from({ length: 10 }, () => org.person()))
  const inDatabase = statements()
  let isOver = false
  const joining = org.owner
    .post(`/user_groups/${named}/subgroups`, { add: [crowd] })
    .finally(() => (isOver = true))
  let answered = 0
  for (let i = 0; !isOver; i++) {
    expect((await others[i % others.length]!.get('/users/me')).status).toBe(200)
    // While the database works, the server has nothing else to do for the group.
    if (inDatabase.open === 0) answered += 1
  }
  expect((await joining).body.result).toBe('success')
  expect(answered).toBeGreaterThan(3)
})
