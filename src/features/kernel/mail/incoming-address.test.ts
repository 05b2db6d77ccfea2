import { expect, test } from 'vitest'
import { Secrets } from '../../../lib/secrets/sealed.ts'
import { incomingAddress, type MailPurpose, purposeOf } from './incoming-address.ts'

const site = { mailInDomain: 'in.example.org', secrets: new Secrets('the secret of this test') }
const channel: MailPurpose = { kind: 'channel', realmId: 7, channelId: 42, userId: 9, senderId: 3 }
const reply: MailPurpose = { kind: 'reply', realmId: 7, userId: 9, messageId: 123_456 }
const largest = 2 ** 31 - 1

test('an address leads back to its purpose, in any case', () => {
  for (const purpose of [channel, reply]) {
    const address = incomingAddress(site, purpose)!
    expect(address).toMatch(/^[a-z0-9-]+@in\.example\.org$/)
    expect(purposeOf(site, address)).toEqual(purpose)
    expect(purposeOf(site, address.toUpperCase())).toEqual(purpose)
  }
})

test('an address shows a name as far as there is room', () => {
  expect(incomingAddress(site, channel, 'Größe & Café #1')).toMatch(/^gro-e-cafe-1\.c/)
  expect(incomingAddress(site, channel, '端口')).toMatch(/^c/)
  const widest = { ...channel, realmId: largest, channelId: largest, userId: largest, senderId: largest }
  for (const purpose of [channel, widest, { ...reply, messageId: Number.MAX_SAFE_INTEGER }]) {
    const address = incomingAddress(site, purpose, 'a name that is far too long '.repeat(4))!
    expect(address.split('@')[0]!.length).toBeLessThanOrEqual(64)
    expect(purposeOf(site, address)).toEqual(purpose)
  }
})

test('no other address is taken', () => {
  const address = incomingAddress(site, channel, 'harbour')!
  const [local = '', domain] = address.split('@')
  const last = local.endsWith('a') ? 'b' : 'a'
  const others = [
    `${local.slice(0, -1)}${last}@${domain}`,
    `${local}a@${domain}`,
    `${local.slice(0, -1)}@${domain}`,
    `${local.replace('c7-', 'c8-')}@${domain}`,
    `${local.replace('.c', '.r')}@${domain}`,
    `${local}@example.org`,
    `${'x'.repeat(64)}.${local}@${domain}`,
    local,
    '',
    'postmaster@in.example.org',
  ]
  for (const other of others) expect(purposeOf(site, other)).toBeUndefined()
  expect(purposeOf({ ...site, secrets: new Secrets('another secret') }, address)).toBeUndefined()
})

test('a server that takes no mail has no addresses', () => {
  const without = { ...site, mailInDomain: undefined }
  expect(incomingAddress(without, channel)).toBeUndefined()
  expect(purposeOf(without, 'a@undefined')).toBeUndefined()
})
