import type { ChannelRow } from '../src/db/schema.ts'
import { nextDigests } from '../src/features/notifications/digests/digest-day.ts'
import { sender } from './messages.ts'
import type { Organization } from './organization.ts'
import type { Person } from './person.ts'
import type { MailServer, ReceivedMail } from './programs/mail-server.ts'
import type { TestServer } from './test-server.ts'

export const day = 86_400

let organizations = 0

/** The setup of tests of digests. Digests are mailed in the morning after `morning` is called. */
export function worldOfDigests(all: TestServer, server: MailServer) {
  const now = () => all.node.site.clock()
  const person = (org: Organization, name: string) =>
    org.person({ name, email: `${name.toLowerCase()}@d${organizations}.example.com` })

  /** Lets the organization send its digests on the second day after today in UTC, and returns when the next ones are due. */
  async function turnOn(org: Organization): Promise<number> {
    const digest_weekday = (Math.floor(now() / day) + 5) % 7
    await org.owner.patch('/realm', { digest_emails_enabled: true, digest_weekday })
    return nextDigests(org.state, now())
  }

  /** Lets time pass up to the next digests, and sends them. */
  async function morning(org: Organization) {
    all.pass((await turnOn(org)) - now())
    await all.workOff()
  }

  /** The digests that a person has got so far. */
  const digestsTo = (reader: Pick<Person, 'email'>): ReceivedMail[] =>
    server.to(reader.email).filter(({ subject }) => subject?.startsWith('Last week in '))

  return {
    digestsTo,
    now,
    person,
    turnOn,
    morning,

    /** Anna, who writes and is there, and Ben and Carl, who are away, with their channel. */
    async cast() {
      const org = await all.organization()
      organizations += 1
      const [anna, ben, carl] = [
        await person(org, 'Anna'),
        await person(org, 'Ben'),
        await person(org, 'Carl'),
      ]
      const harbour = await org.channel({ name: 'harbour', subscribers: [anna, ben, carl] })
      for (const away of [ben, carl]) await away.post('/users/me/presence', { status: 'active' })
      all.pass(8 * day)
      for (const present of [anna, org.owner]) await present.post('/users/me/presence', { status: 'active' })
      return { org, anna, ben, carl, harbour }
    },

    /** Posts some messages to a topic: `TOPIC 1`, `TOPIC 2` and so on. Returns their ids. */
    async talk(
      from: Person,
      channel: Pick<ChannelRow, 'id'>,
      topic: string,
      messages = 1,
    ): Promise<number[]> {
      const ids: number[] = []
      for (let i = 1; i <= messages; i++) ids.push(await sender(from, channel)(topic, `${topic} ${i}`))
      return ids
    },

    /** The digests that reached a person, sent in the next morning. */
    async digestsOf(org: Organization, reader: Person): Promise<ReceivedMail[]> {
      await morning(org)
      return digestsTo(reader)
    },
  }
}

/** The text of a mail, with plain line ends. */
export const textOf = (mail: ReceivedMail | undefined) => (mail?.text ?? '').replaceAll('\r\n', '\n')
