import { expect, test } from 'vitest'
import { send } from '../../../../test/http.ts'
import { keyMailedTo } from '../../../../test/mailbox.ts'
import type { Organization } from '../../../../test/organization.ts'
import { personWith } from '../../../../test/person.ts'
import { linkIn, worldOfMail } from '../../../../test/programs/mail-server.ts'

const { all, server } = worldOfMail()

const resetPath = '/accounts/password/reset/'
let addresses = 0
const newAddress = () => `dora${++addresses}@example.com`

/** Returns whether a user who signs up with a browser of these languages has times with 24 hours. */
async function hoursAfterSignUp(org: Organization, languages: string | undefined) {
  const email = newAddress()
  await org.owner.post('/invites', { invitee_emails: email, stream_ids: [] })
  const account = { full_name: 'Dora Diaz', password: 'swordfish 12' }
  const headers: Record<string, string> = languages === undefined ? {} : { 'accept-language': languages }
  const path = `/rookery/sign_ups/${await keyMailedTo(org, email)}`
  const { body } = await org.visitor.post(path, account, { headers })
  expect(body).toMatchObject({ result: 'success' })
  const dora = await personWith(org.place, email, body.api_key)
  return (await dora.register()).state.user_settings.twenty_four_hour_time
}

test.each([
  ['de-DE,de;q=0.9,en-US;q=0.8', true],
  ['en-GB', true],
  ['en-US,en;q=0.9', false],
  ['*', false],
  [undefined, false],
])(
  'users who sign up have times as the language of their browser writes them: %s',
  async (languages, is24) => {
    expect(await hoursAfterSignUp(await all.organization(), languages)).toBe(is24)
  },
)

test('the hours that an organization has chosen for new users hold in any language', async () => {
  const org = await all.organization()
  for (const twenty_four_hour_time of [true, false])
    await org.owner.patch('/realm/user_settings_defaults', { twenty_four_hour_time })
  expect(await hoursAfterSignUp(org, 'de')).toBe(false)
})

test('a user whom an administrator has created with a password gets the hours of their browser with the first login', async () => {
  const org = await all.organization()
  const password = 'swordfish 12'
  const newcomer = async () => {
    const email = newAddress()
    await org.owner.post('/users', { email, full_name: 'Dora Diaz', password })
    const logIn = async (languages: string) => {
      const headers = { 'accept-language': languages }
      const { body } = await org.visitor.post('/fetch_api_key', { username: email, password }, { headers })
      const person = await personWith(org.place, email, body.api_key)
      return (await person.register()).state.user_settings.twenty_four_hour_time
    }
    return { logIn }
  }
  const [german, american] = [await newcomer(), await newcomer()]
  expect(await german.logIn('de')).toBe(true)
  expect([await american.logIn('en-US'), await american.logIn('de')]).toEqual([false, false])
  await org.owner.patch('/realm/user_settings_defaults', { twenty_four_hour_time: true })
  expect(await (await newcomer()).logIn('en-US')).toBe(true)
})

test('the first password of a user brings the hours of their browser, a later one changes nothing', async () => {
  const org = await all.organization()
  const email = newAddress()
  const person = await org.person({ email })
  const client = await person.register()
  /** `mails`: how many mails the user has when the link has come. */
  const choose = async (password: string, mails: number) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'de' }
    const post = (path: string, body: string) =>
      send(org.place, { method: 'POST', path, headers: form, body })
    await post('/accounts/password/reset', `email=${encodeURIComponent(email)}`)
    // The mail about the change before may come after that with the link.
    const received = await server.awaitMails(email, mails)
    const withLink = received.findLast(({ text }) => text?.includes(resetPath))!
    const path = linkIn(withLink, resetPath)
    expect((await post(path, `password=${password}`)).status).toBe(303)
  }
  await choose('swordfish+12', 1)
  expect(await client.events()).toContainEqual(
    expect.objectContaining({ type: 'user_settings', property: 'twenty_four_hour_time', value: true }),
  )
  await client.expectStateToMatch()
  await person.patch('/settings', { twenty_four_hour_time: false })
  await choose('swordfish+13', 3)
  expect((await person.register()).state.user_settings.twenty_four_hour_time).toBe(false)
})
