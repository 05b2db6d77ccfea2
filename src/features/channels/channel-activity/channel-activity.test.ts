import { describe, expect, test } from 'vitest'
import type { Wire } from '../../../../test/client.ts'
import { jobsOf, runAcross } from '../../../../test/jobs.ts'
import { sender } from '../../../../test/messages.ts'
import { cast } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import type { ChannelRow } from '../../../db/schema.ts'

const all = testServer({ queueIdleSeconds: 86_400 * 1_000 })
const day = 86_400

/** A channel as a user sees it; undefined if the user does not see it. */
async function seen(person: Person, channel: ChannelRow): Promise<Wire | undefined> {
  const { body } = await person.get(`/streams/${channel.id}`)
  return body.stream
}

/** Lets time pass, when no measurement is under way: one that began before would count as that of the later day. */
async function later(seconds: number) {
  await all.workOff()
  all.pass(seconds)
  await all.workOff()
}

async function send(person: Person, channel: ChannelRow, count = 1) {
  for (let i = 0; i < count; i++) await sender(person, channel)('tea', `${i}`)
}

describe('the weekly traffic of a channel', () => {
  test('is counted once a day for channels that are old enough, without events', async () => {
    const { org, anna, ben } = await cast(await all.organization())
    const [busy, seldom, silent] = [await org.channel(), await org.channel(), await org.channel()]
    const traffic = (channel: ChannelRow) => async () => (await seen(ben, channel))?.stream_weekly_traffic
    await send(anna, busy, 5)
    expect(await traffic(busy)()).toBe(null)

    await later(6 * day)
    const young = await org.channel()
    await later(2 * day)
    const client = await ben.register()
    expect(await traffic(busy)()).toBe(4) // 5 in 8 days
    await send(anna, busy, 10)
    await send(anna, seldom)
    await send(anna, young)
    expect([await traffic(silent)(), await traffic(young)()]).toEqual([0, null])

    await later(21 * day)
    expect(await traffic(busy)()).toBe(3) // 10 in 28 days; the first 5 are older
    const shown = [await traffic(seldom)(), await traffic(silent)(), await traffic(young)()]
    expect(shown).toEqual([1, 0, 1])
    const listed = (await ben.register()).state.never_subscribed as Wire[]
    expect(listed.find((one) => one.stream_id === busy.id)).toMatchObject({ stream_weekly_traffic: 3 })
    expect(await client.news()).toEqual([])
    await client.expectStateToMatch()
  })

  test('is counted again a day after the last count began', async () => {
    const org = await all.organization()
    await later(day - 60)
    const begun = await runAcross(all, org, { pause: 60, seconds: 10 })
    const [job] = await jobsOf(org, 'channel activity')
    expect(job!.due_at).toBeLessThanOrEqual(begun + day)
  })

  test('is visible to users who may see the channel', async () => {
    const { org, admin, anna, ben, guest } = await cast(await all.organization())
    const secret = await org.channel({ subscribers: [anna], isPrivate: true })
    await send(anna, secret, 8)
    await later(14 * day)
    expect(await seen(anna, secret)).toMatchObject({ stream_weekly_traffic: 4 })
    expect(await seen(admin, secret)).toMatchObject({ stream_weekly_traffic: 4 })
    for (const person of [ben, guest]) expect(await seen(person, secret)).toBeUndefined()
  })
})

describe('a channel without new messages', () => {
  const isActive = async (person: Person, channel: ChannelRow) =>
    (await seen(person, channel))?.is_recently_active

  test('becomes inactive after half a year, and active again with the next message', async () => {
    const { org, admin, anna, ben, guest } = await cast(await all.organization())
    const [open, secret] = [
      await org.channel({ subscribers: [anna] }),
      await org.channel({ subscribers: [anna], isPrivate: true }),
    ]
    const [used, archived] = [await org.channel(), await org.channel()]
    for (const channel of [open, secret, used]) await send(anna, channel)
    await later(20 * day)
    await send(anna, used)
    await org.owner.delete(`/streams/${archived.id}`)
    await later(158 * day)
    const fresh = await org.channel()
    const clients = await Promise.all([anna, admin, ben, guest].map((person) => person.register()))
    const old = await anna.register({
      event_types: ['stream'],
      client_capabilities: { notification_settings_null: true },
    })
    const heard = () => Promise.all([...clients, old].map((client) => client.news()))
    const told = (channel: ChannelRow, value: boolean) => ({
      ...{ type: 'stream', op: 'update', property: 'is_recently_active', value },
      ...{ stream_id: channel.id, name: channel.name, id: expect.any(Number) },
    })

    await later(3 * day)
    expect(await isActive(anna, secret)).toBe(false)
    expect(await isActive(ben, open)).toBe(false)
    for (const channel of [used, fresh]) expect(await isActive(anna, channel)).toBe(true)
    const listed = (await anna.register()).state.never_subscribed as Wire[]
    expect(listed.find((one) => one.stream_id === archived.id)).toMatchObject({ is_recently_active: true })
    const quiet = [told(open, false), told(secret, false)]
    const both = expect.toSatisfy((events) => {
      expect(events).toEqual(expect.arrayContaining(quiet))
      return events.length === 2
    })
    expect(await heard()).toEqual([both, both, [told(open, false)], [], both])

    await send(anna, secret)
    await expect.poll(() => isActive(admin, secret)).toBe(true)
    await send(anna, secret)
    const again = [told(secret, true)]
    expect(await heard()).toEqual([again, again, [], [], again])
    expect(await isActive(anna, open)).toBe(false)
    for (const client of clients) await client.expectStateToMatch()
  })

  test('becomes active only once when messages arrive concurrently through several nodes', async () => {
    const { org, anna, ben } = await cast(await all.organization())
    const other = await all.anotherNode()
    const there = new Person({ port: other.port, host: anna.place.host }, anna)
    const channel = await org.channel({ subscribers: [anna] })
    await later(181 * day)
    await expect.poll(() => isActive(ben, channel)).toBe(false)
    const client = await ben.register({ event_types: ['stream'] })
    await Promise.all([anna, there, anna, there].map((person) => send(person, channel, 2)))
    for (const person of [anna, there]) await expect.poll(() => isActive(person, channel)).toBe(true)
    expect(await client.events()).toMatchObject([{ property: 'is_recently_active', value: true }])

    await later(2 * day)
    await expect.poll(async () => (await seen(ben, channel))?.stream_weekly_traffic).toBe(2)
    expect(await isActive(ben, channel)).toBe(true)
    expect(await client.events()).toEqual([])
  })

  test('becomes inactive when all recent messages are deleted', async () => {
    const { org, anna } = await cast(await all.organization())
    const channel = await org.channel({ subscribers: [anna] })
    await later(181 * day)
    await expect.poll(() => isActive(anna, channel)).toBe(false)
    const id = await sender(anna, channel)('tea', 'a slip')
    await expect.poll(() => isActive(anna, channel)).toBe(true)
    expect((await org.owner.delete(`/messages/${id}`)).body).toMatchObject({ result: 'success' })
    await later(2 * day)
    await expect.poll(() => isActive(anna, channel)).toBe(false)
  })
})
