import { expect, test } from 'vitest'
import { newDirectory, runHere } from '../../../test/command-line.ts'
import { testServer } from '../../../test/test-server.ts'

const all = testServer()

test('realm gravatar has avatars come from gravatar.com, or drawn here again', async () => {
  const org = await all.organization()
  const environment = { DATABASE_URL: all.databaseUrl, ROOKERY_DATA: await newDirectory() }
  const avatar = async () => {
    const { user } = (await org.owner.get('/users/me', { client_gravatar: false })).body
    return user?.avatar_url ?? (await org.owner.get('/users/me')).body.avatar_url
  }
  const choose = (choice: string) =>
    runHere(`realm gravatar ${choice} --realm ${org.state.row.subdomain}`, environment)
  expect(await avatar()).toContain('/drawn/')
  expect(await choose('on')).toMatchObject({ status: 0 })
  await expect.poll(avatar).toContain('gravatar.com')
  expect(await choose('off')).toMatchObject({ status: 0 })
  await expect.poll(avatar).toContain('/drawn/')
  expect(await choose('maybe')).toMatchObject({ status: 2 })
})
