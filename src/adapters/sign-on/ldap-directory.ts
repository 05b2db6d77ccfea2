import type { Client, Entry } from 'ldapts'
import { ApiError } from '../../lib/api-error.ts'
import { ComponentError } from '../../lib/component.ts'
import { adapterLimits } from '../limits.ts'
import { connectionFault } from './faults.ts'
import type { Directory, Identity } from './sign-on.ts'

type DirectorySettings = {
  url: string
  startTls: boolean
  bindDn: string | undefined
  bindPassword: string | undefined
  base: string
  /** Contains {username} in place of the name that the user typed. */
  filter: string
  emailAttribute: string
  nameAttribute: string
  groupsAttribute: string
}

/**
 * An LDAP directory: it searches for the entry of a name; a user who can bind as that entry with the password is
 * authenticated. Each check has a connection of its own.
 */
export function ldapDirectory(settings: DirectorySettings): Directory {
  return {
    async check(username, password, beforeTry) {
      // A bind without a password succeeds, and authenticates no one.
      if (username === '' || password === '') return undefined
      const client = await connect(settings)
      try {
        if (settings.startTls) await client.startTLS({ servername: new URL(settings.url).hostname })
        await bindToSearch(client, settings)
        const entry = await find(client, settings, username)
        if (!entry) return undefined
        const identity = identityOf(settings, entry)
        await beforeTry(identity.email || entry.dn)
        return (await isPasswordOf(client, entry, password)) ? identity : undefined
      } catch (error) {
        if (error instanceof ComponentError || error instanceof ApiError) throw error
        throw (
          connectionFault('directory', error) ??
          new ComponentError('directory', 'The directory has refused to search.', error)
        )
      } finally {
        await client.unbind().catch(() => {})
      }
    },
  }
}

async function connect({ url }: DirectorySettings): Promise<Client> {
  const { Client } = await import('ldapts')
  const timeout = adapterLimits.signOnRequestSeconds * 1000
  return new Client({ url, timeout, connectTimeout: timeout, strictDN: false })
}

async function bindToSearch(client: Client, { bindDn, bindPassword }: DirectorySettings) {
  if (bindDn === undefined) return
  const { InvalidCredentialsError } = await import('ldapts')
  try {
    await client.bind(bindDn, bindPassword)
  } catch (error) {
    if (!(error instanceof InvalidCredentialsError)) throw error
    throw new ComponentError('directory', 'The directory does not accept this server’s own password.', error)
  }
}

async function find(
  client: Client,
  settings: DirectorySettings,
  username: string,
): Promise<Entry | undefined> {
  const { base, filter, emailAttribute, nameAttribute, groupsAttribute } = settings
  const { searchEntries } = await client.search(base, {
    scope: 'sub',
    // With a function, as $ has a meaning in a replacement text.
    filter: filter.replaceAll('{username}', () => escaped(username)),
    attributes: [emailAttribute, nameAttribute, groupsAttribute],
    sizeLimit: 2,
    timeLimit: adapterLimits.signOnRequestSeconds,
  })
  // An ambiguous name matches no user.
  return searchEntries.length === 1 ? searchEntries[0] : undefined
}

async function isPasswordOf(client: Client, { dn }: Entry, password: string): Promise<boolean> {
  const { InvalidCredentialsError } = await import('ldapts')
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false
    throw error
  }
}

function identityOf(settings: DirectorySettings, entry: Entry): Identity {
  // Names of attributes are the same in upper and lower case, and may be here in both.
  const valuesOf = (name: string) =>
    Object.entries(entry)
      .filter(([one]) => one.toLowerCase() === name.toLowerCase())
      .flatMap(([, values]) => values)
      .map(String)
  return {
    method: 'LDAP',
    link: null,
    email: valuesOf(settings.emailAttribute)[0]?.trim() ?? '',
    isEmailVerified: true,
    name: valuesOf(settings.nameAttribute)[0]?.trim() ?? '',
    groups: valuesOf(settings.groupsAttribute).flatMap((dn) => [dn, ...firstNameOf(dn)]),
  }
}

/** Returns the first name of a DN: `eng` for `cn=eng,ou=groups,dc=example`. */
function firstNameOf(dn: string): string[] {
  const name = /^\w+=((?:[^,\\]|\\.)+),/.exec(dn)?.[1]
  return name === undefined ? [] : [name]
}

/** Escapes a text for a filter, where it means only itself. */
function escaped(text: string): string {
  return text.replace(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
