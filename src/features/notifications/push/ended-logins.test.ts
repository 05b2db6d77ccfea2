import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser } from '../../../../test/browser.ts'
import type { Organization } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { PushService, Browser as Subscriber } from '../../../../test/programs/push-browser.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { putPassword } from '../../accounts/kernel/login/put-password.ts'
import { addApiKey } from '../../bots/kernel/login/api-keys.ts'

const { organization } = sharedServer()
const service = new PushService()
beforeAll(() => service.start())
afterAll(() => service.stop())

/** Ben, with a browser in each of two sessions, and a phone with each of two keys. */
async function cast() {
  const org = await organization()
  const ben = await org.person()
  const browsers = [await newBrowser(org, ben), await newBrowser(org, ben)] as const
  const key = await org.log.commit((change) => addApiKey(change, ben.id, 'phone'))
  const phones = [ben, new Person(org.place, { ...ben, key })]
  for (const [i, phone] of phones.entries()) await addToken(phone, `token ${i}`)
  return { org, ben, browsers, phones }
}

async function newBrowser(org: Organization, ben: Person) {
  const browser = new Browser(org.place)
  const { name, value } = await org.session(ben)
  browser.cookie = `${name}=${value}`
  const { subscription } = new Subscriber(service)
  const { body } = await browser.ask('POST', '/json/rookery/push_subscriptions', { subscription })
  expect(body.result).toBe('success')
  const { sessions } = (await browser.ask('GET', '/json/rookery/sessions')).body
  const { id } = sessions.find((session: { is_current: boolean }) => session.is_current)
  return { browser, id: id as number, endpoint: subscription.endpoint }
}

async function addToken(phone: Person, token: string) {
  expect((await phone.post('/users/me/android_gcm_reg_id', { token })).body.result).toBe('success')
}

type Cast = Awaited<ReturnType<typeof cast>>

function devicesLeft({ org, ben, browsers }: Cast) {
  const names = new Map(browsers.map(({ endpoint }, i) => [endpoint, `browser ${i}`]))
  return [...org.state.pushDevicesOfUser(ben.id)].map(({ address }) => names.get(address) ?? address).sort()
}

const ways: [string, (cast: Cast) => Promise<unknown>, string[]][] = [
  [
    'ends the session of a browser',
    ({ browsers: [one, other] }) => other.browser.ask('DELETE', `/json/rookery/sessions/${one.id}`),
    ['browser 1', 'token 0', 'token 1'],
  ],
  [
    'logs out of a browser',
    ({ browsers: [one] }) => one.browser.ask('DELETE', '/json/rookery/session'),
    ['browser 1', 'token 0', 'token 1'],
  ],
  [
    'sets a password in a browser',
    ({ org, ben, browsers: [one] }) =>
      org.log.commit((change) => putPassword(change, ben.id, 'a hash', one.id)),
    ['browser 0', 'token 0', 'token 1'],
  ],
  [
    'revokes the key of a phone',
    async ({ phones }) => {
      const { keys } = (await phones[0]!.get('/rookery/keys')).body
      const { id } = keys.find((key: { is_current: boolean }) => key.is_current)
      return phones[1]!.delete(`/rookery/keys/${id}`)
    },
    ['browser 0', 'browser 1', 'token 1'],
  ],
  [
    'replaces all keys',
    ({ phones }) => phones[0]!.post('/users/me/api_key/regenerate'),
    ['browser 0', 'browser 1'],
  ],
  [
    'is deactivated and reactivated',
    async ({ org, ben }) => {
      await org.owner.delete(`/users/${ben.id}`)
      return org.owner.post(`/users/${ben.id}/reactivate`)
    },
    [],
  ],
]

test.each(ways)('a user who %s gets notifications only on devices of other logins', async (_, end, left) => {
  const people = await cast()
  await end(people)
  expect(devicesLeft(people)).toEqual(left)
})

test('a device that registers again belongs to the login that it has by then', async () => {
  const people = await cast()
  const [first, second] = people.phones
  await addToken(second!, 'token 0')
  const { keys } = (await first!.get('/rookery/keys')).body
  const { id } = keys.find((key: { is_current: boolean }) => key.is_current)
  await second!.delete(`/rookery/keys/${id}`)
  expect(devicesLeft(people)).toEqual(['browser 0', 'browser 1', 'token 0', 'token 1'])
})
