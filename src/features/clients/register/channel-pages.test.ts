import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'
import { openPages, perPage } from './fields/channel-pages.ts'

const { organization } = sharedServer()

const kind = { archived: true, include: false }

test('what was made of a page that a client took before a change is not given to others', async () => {
  const org = await organization()
  const channel = await org.channel({ name: 'before', subscribers: [org.owner] })
  const { state } = org.log
  const namesOf = perPage((_realm, _kind, { channels }) => channels.map(({ name }) => name))
  const names = (pages: ReturnType<typeof openPages>) => pages.flatMap((page) => namesOf(state, kind, page))
  const taken = openPages(state, 32, kind)
  expect(names(taken)).toContain('before')
  await org.owner.patch(`/streams/${channel.id}`, { new_name: 'after' })
  names(taken)
  expect(names(openPages(state, 32, kind))).toContain('after')
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  names(taken)
  expect(names(openPages(state, 32, kind))).not.toContain('after')
})
