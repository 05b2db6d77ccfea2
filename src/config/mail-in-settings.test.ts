import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('no mail is taken until a domain is set', () => {
  expect(readConfig({})).toMatchObject({ mailInDomain: undefined })
  expect(readConfig({ ROOKERY_MAIL_IN_DOMAIN: 'In.Example.org' })).toMatchObject({
    mailInDomain: 'in.example.org',
    mailInPort: 2525,
    mailInHost: '127.0.0.1',
  })
})

test.each([
  ['ROOKERY_MAIL_IN_DOMAIN', '192.0.2.1', 'a domain name'],
  ['ROOKERY_MAIL_IN_DOMAIN', 'in@example.org', 'a domain name'],
  ['ROOKERY_MAIL_IN_PORT', 'smtp', 'a whole number from 0 to 65535'],
  ['ROOKERY_MAIL_IN_HOST', '0.0.0.0:25', 'a host name or an IP address'],
])('%s=%s is refused', (name, value, allowed) => {
  expect(() => readConfig({ [name]: value })).toThrow(
    `${name} is ${JSON.stringify(value)}, but must be ${allowed}.`,
  )
})

test('a place to listen is nothing without a domain', () => {
  expect(() => readConfig({ ROOKERY_MAIL_IN_PORT: '25' })).toThrow(
    'ROOKERY_MAIL_IN_PORT is set, but does nothing without ROOKERY_MAIL_IN_DOMAIN.',
  )
})
