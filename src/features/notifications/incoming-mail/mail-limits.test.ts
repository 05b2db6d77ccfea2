import { expect, test } from 'vitest'
import { annaAndBen } from '../../../../test/organization.ts'
import { addressOf, SmtpClient, worldOfIncomingMail } from '../../../../test/programs/smtp.ts'
import { incomingMailLimits } from './limits.ts'

const world = worldOfIncomingMail({ limited: true })

test('the mails of a minute to one channel are limited, by all of its addresses together', async () => {
  const { org, anna, ben, channel } = await annaAndBen(await world.all.organization(), { name: 'harbour' })
  const other = await org.channel({ subscribers: [anna] })
  const addresses = [await addressOf(anna, channel.id), await addressOf(ben, channel.id)]
  const smtp = await SmtpClient.open(world.port)
  await smtp.ask('EHLO client.test')
  const codes: number[] = []
  for (let i = 0; i <= incomingMailLimits.mailsPerMinute && !codes.includes(451); i++) {
    await smtp.ask('MAIL FROM:<z@x.org>')
    codes.push((await smtp.ask(`RCPT TO:<${addresses[i % 2]}>`)).code)
    await smtp.ask('RSET')
  }
  // Some may have come back meanwhile.
  expect(codes.slice(0, incomingMailLimits.mailsPerMinute).every((code) => code === 250)).toBe(true)
  await smtp.ask('MAIL FROM:<z@x.org>')
  expect((await smtp.ask(`RCPT TO:<${await addressOf(anna, other.id)}>`)).code).toBe(250)
  smtp.close()
})
