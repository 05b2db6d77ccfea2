import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { checkSignOn } from './configured-sign-on.ts'

function check(filter: string) {
  const directory = { ROOKERY_LDAP_URL: 'ldap://localhost', ROOKERY_LDAP_BASE: 'dc=example' }
  return checkSignOn(readConfig({ ...directory, ROOKERY_LDAP_FILTER: filter }))
}

test.each([
  ['(uid={username}', 'be an LDAP filter: Unbalanced parens'],
  ['(&(uid={username})(|))', 'be an LDAP filter: '],
  ['(uid={username})(mail=*)', 'be an LDAP filter: '],
  ['{username}', 'be an LDAP filter: '],
  ['(uid=anna)', 'contain {username}.'],
])('the LDAP filter %s is refused', async (filter, reason) => {
  await expect(check(filter)).rejects.toThrow(`ROOKERY_LDAP_FILTER is "${filter}", but must ${reason}`)
})

test.each([
  '(uid={username})',
  '(&(objectClass=person)(|(uid={username})(mail={username})))',
  '(&(sAMAccountName={username})(memberOf:1.2.840.113556.1.4.1941:=cn=chat,dc=example))',
])('the LDAP filter %s is taken', async (filter) => {
  await expect(check(filter)).resolves.toBeUndefined()
})

test('a filter without a directory is refused', () => {
  const reason = 'ROOKERY_LDAP_FILTER is set, but does nothing without ROOKERY_LDAP_URL.'
  expect(() => readConfig({ ROOKERY_LDAP_FILTER: '(mail={username})' })).toThrow(reason)
})
