import { expect, test, vi } from 'vitest'
import { isOfRequest } from '../../../../test/held-writes.ts'
import { hashOf } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { putPassword } from '../kernel/login/put-password.ts'

const server = sharedServer()

test('a password that was reset since it was checked permits no change', async () => {
  const org = await server.organization()
  const login = { name: 'Dora', email: 'dora@example.com', password: 'swordfish 12' }
  const dora = await org.personWithPassword(login)
  const hash = await hashOf('reset by mail 5')
  const commitIn = org.log.commitIn.bind(org.log)
  let count = 0
  // The attempt is counted and forgiven before the change itself.
  const commits = vi.spyOn(org.log, 'commitIn').mockImplementation(async (epoch, work, actor) => {
    if (isOfRequest(actor) && ++count === 3)
      await commitIn(org.state.epoch, (change) => putPassword(change, dora.id, hash))
    return commitIn(epoch, work, actor)
  })
  const asked = { old_password: login.password, new_password: 'of a thief 77' }
  const { body } = await dora.patch('/settings', asked)
  commits.mockRestore()
  expect(body).toMatchObject({ result: 'error', msg: 'Wrong password!' })
  const logIn = (password: string) => org.visitor.post('/fetch_api_key', { username: login.email, password })
  expect((await logIn(asked.new_password)).status).toBe(401)
  expect((await logIn('reset by mail 5')).status).toBe(200)
})
