import { expect, test } from 'vitest'
import { day, textOf, worldOfDigests } from '../../../../test/digests.ts'
import { send } from '../../../../test/http.ts'
import { jobsOf, runAcross } from '../../../../test/jobs.ts'
import { sender } from '../../../../test/messages.ts'
import { getPage } from '../../../../test/pages.ts'
import type { Person } from '../../../../test/person.ts'
import { linkIn, worldOfMail } from '../../../../test/programs/mail-server.ts'
import { cancelJob, scheduleJob } from '../../../jobs/job.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { digestLimits } from './limits.ts'
import { digestJob } from './schedule-digests.ts'

const { all, server } = worldOfMail()
const { cast, digestsTo, talk, turnOn, morning, digestsOf, person, now } = worldOfDigests(all, server)

test('mails the busiest conversations of the week and the new channels to a user who is away', async () => {
  const { org, anna, ben, harbour } = await cast()
  await talk(anna, harbour, 'boats', 5)
  await talk(anna, harbour, 'weather')
  await org.channel({ name: 'news' })
  const [mail, ...more] = await digestsOf(org, ben)
  expect(more).toEqual([])
  expect(mail!.subject).toBe(`Last week in ${org.state.row.name}`)
  const url = `http://${org.place.host}`
  const place = (topic: string) =>
    `#harbour > ${topic}\n${url}/#narrow/channel/${harbour.id}-harbour/topic/${topic}/near/`
  const text = textOf(mail)
  expect(text.indexOf(place('boats'))).toBeGreaterThan(0)
  expect(text.indexOf(place('weather'))).toBeGreaterThan(text.indexOf(place('boats')))
  expect(text).toMatch(/Anna:\n> boats 1\n\nAnna:\n> boats 2\n\nAnna:\n> boats 3\n\nAnd 2 more messages\.\n/)
  expect(text).toMatch(/New channels in .*\n\n• #news\nhttp\S+\/#narrow\/channel\/\d+-news\n/)
  expect(mail!.html).toContain('boats 1')
  expect(mail!.html).not.toContain('boats 4')
})

test('goes to nobody who is there, has turned it off, is new, or has no address, and to no bot', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  const others = [await person(org, 'Dora'), await person(org, 'Emil')]
  const imported = await org.person({ name: 'Fritz', email: `u1@slack.invalid` })
  await org.channel({ name: 'pier', subscribers: [...others, imported, anna] })
  const bot = await org.bot(ben)
  all.pass(8 * day)
  await anna.post('/users/me/presence', { status: 'active' })
  await carl.patch('/settings', { enable_digest_emails: false })
  await others[0]!.post('/users/me/presence', { status: 'active' })
  await org.owner.delete(`/users/${others[1]!.id}`)
  const newcomer = await person(org, 'Gina')
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'harbour' }],
    principals: [newcomer.id, bot.id, imported.id],
  })
  await talk(anna, harbour, 'boats')
  expect(await digestsOf(org, ben)).toHaveLength(1)
  for (const { email } of [anna, carl, ...others, newcomer, bot, imported]) {
    expect({ email, mails: digestsTo({ email }).length }).toEqual({ email, mails: 0 })
  }
})

test('an organization that has not turned them on, or has turned them off again, sends none', async () => {
  const { org, anna, ben, harbour } = await cast()
  await talk(anna, harbour, 'boats')
  const { digest_emails_enabled, digest_weekday } = { digest_emails_enabled: true, digest_weekday: 3 }
  await org.owner.patch('/realm', { digest_weekday })
  all.pass(7 * day)
  await all.workOff()
  await org.owner.patch('/realm', { digest_emails_enabled })
  await org.owner.patch('/realm', { digest_emails_enabled: false })
  await talk(anna, harbour, 'boats')
  all.pass(7 * day)
  await all.workOff()
  expect(digestsTo(ben)).toEqual([])
})

test('counts users whose presence is not recorded as away by the use of their logins', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  for (const user of [ben, carl]) await user.patch('/settings', { presence_enabled: false })
  const keysOf = (user: Person) => [...org.state.apiKeysOfUser(user.id)]
  for (const user of [ben, carl]) {
    const isNoted = () => keysOf(user).every((key) => (key.last_used_at ?? 0) > now() - day)
    await expect.poll(isNoted).toBe(true)
  }
  await org.log.commit((change) =>
    change.updateAll(
      'api_key',
      keysOf(ben).map(({ id }) => ({ id, last_used_at: now() - 9 * day })),
    ),
  )
  await talk(anna, harbour, 'boats')
  expect(await digestsOf(org, ben)).toHaveLength(1)
  expect(digestsTo(carl)).toEqual([])
})

test('mails each user in the morning of the weekday where they are', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  await ben.patch('/settings', { timezone: 'Asia/Tokyo' })
  await carl.patch('/settings', { timezone: 'America/Los_Angeles' })
  await talk(anna, harbour, 'boats')
  const hourIn = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' }).format(
      now() * 1000,
    )
  await morning(org)
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][realmSettings(org.state).digest_weekday]
  expect(hourIn('Asia/Tokyo')).toBe(`${weekday}, 08`)
  expect(digestsTo(ben)).toHaveLength(1)
  expect(digestsTo(carl)).toEqual([])
  all.pass(9 * 3_600)
  await all.workOff()
  expect(digestsTo(carl)).toEqual([])
  while (hourIn('America/Los_Angeles') !== `${weekday}, 08`) all.pass(1_800)
  await all.workOff()
  expect(digestsTo(carl)).toHaveLength(1)
  expect(digestsTo(ben)).toHaveLength(1)
})

test('mails a user whose morning comes while digests are being written', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  await ben.patch('/settings', { timezone: 'Asia/Kathmandu' })
  await carl.patch('/settings', { timezone: 'Asia/Kolkata' }) // a quarter of an hour later
  await talk(anna, harbour, 'boats')
  all.pass((await turnOn(org)) - now() - 60)
  await runAcross(all, org, { pause: 60 + 895, seconds: 10 })
  expect(digestsTo(ben)).toHaveLength(1)
  expect(digestsTo(carl)).toHaveLength(1)
})

test('looks at all users again after a run that another one has continued', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  await talk(anna, harbour, 'boats')
  const due = await turnOn(org)
  await org.log.commit((change) => scheduleJob(change, digestJob, ben.id, due))
  await org.log.commit((change) => cancelJob(change, digestJob, 0))
  all.pass(due - now())
  await all.workOff()
  expect([digestsTo(ben).length, digestsTo(carl).length]).toEqual([0, 1])
  all.pass(digestLimits.digestAgainSeconds)
  await all.workOff()
  expect([digestsTo(ben).length, digestsTo(carl).length]).toEqual([1, 1])
  expect(await jobsOf(org, digestJob)).toMatchObject([{ subject_id: 0, due_at: due + 7 * day }])
})

test('mails nobody twice for a week, also if the organization chooses the next day or the user another time zone', async () => {
  const { org, anna, ben, harbour } = await cast()
  await talk(anna, harbour, 'boats')
  expect(await digestsOf(org, ben)).toHaveLength(1)
  await talk(anna, harbour, 'weather')
  await ben.patch('/settings', { timezone: 'Pacific/Pago_Pago' })
  expect(await digestsOf(org, ben)).toHaveLength(1)
  all.pass(day)
  await all.workOff()
  expect(digestsTo(ben)).toHaveLength(1)
  await talk(anna, harbour, 'fish')
  for (let hours = 0; hours < 9 * 24; hours += 12) {
    all.pass(12 * 3_600)
    await all.workOff()
  }
  expect(digestsTo(ben)).toHaveLength(2)
  expect(textOf(digestsTo(ben)[1])).toContain('fish 1')
})

test('sends nothing late if the day is over', async () => {
  const { org, anna, ben, harbour } = await cast()
  await talk(anna, harbour, 'boats')
  all.pass((await turnOn(org)) - now() + 16 * 3_600)
  await all.workOff()
  expect(digestsTo(ben)).toEqual([])
})

test('sends nothing where there is nothing to say', async () => {
  const { org, anna, ben, harbour } = await cast()
  const bot = await org.bot(anna)
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'harbour' }],
    principals: [bot.id],
  })
  await sender(bot, harbour)('builds', 'passed')
  await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'psst' })
  await morning(org)
  expect(digestsTo(ben)).toEqual([])
})

test('one click stops the digests, and nothing else', async () => {
  const { org, anna, ben, harbour } = await cast()
  await talk(anna, harbour, 'boats')
  const [mail] = await digestsOf(org, ben)
  const header = (name: string) => mail!.headers.find(({ key }) => key === name)?.value
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const path = linkIn(mail!, '/unsubscribe/')
  expect(new URL(header('list-unsubscribe')!.slice(1, -1)).pathname).toBe(path)
  const page = await getPage(org, path)
  expect(page.text).toContain('digest of a week')
  const client = await ben.register()
  expect((await send(org.place, { method: 'POST', path })).status).toBe(200)
  expect((await client.events()).filter(({ type }) => type === 'user_settings')).toMatchObject([
    { property: 'enable_digest_emails', value: false },
  ])
  await client.expectStateToMatch()
})

test('leaves the name of the organization out of the subject if the reader wants this', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  await ben.patch('/settings', { realm_name_in_email_notifications_policy: 3 })
  await talk(anna, harbour, 'boats')
  expect(await digestsOf(org, carl)).toHaveLength(1)
  expect(server.to(ben.email)).toMatchObject([{ subject: 'Your last week' }])
})

test('says in register whether the server sends digests, and the organization', async () => {
  const { org, ben } = await cast()
  const client = await ben.register()
  expect(client.state).toMatchObject({
    settings_send_digest_emails: true,
    realm_digest_emails_enabled: false,
  })
  await turnOn(org)
  expect(await client.events()).toContainEqual(
    expect.objectContaining({ property: 'digest_emails_enabled', value: true }),
  )
  await client.expectStateToMatch()
  expect((await ben.register()).state.realm_digest_emails_enabled).toBe(true)
})
