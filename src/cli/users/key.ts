import type { ApiKeyRow } from '../../db/schema.ts'
import { addApiKey } from '../../features/bots/kernel/login/api-keys.ts'
import { must } from '../../lib/must.ts'
import { hashKey } from '../../lib/secrets/hash-key.ts'
import { realmUrl } from '../../lib/site.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import { type CommandConfig, cliCommand, type Outcome, UsageError } from '../command.ts'
import { activeUserOf, realmOption, userOf, withRealm } from '../context.ts'
import { textTable, time } from '../output.ts'
import { zuliprc } from './zuliprc.ts'

const createKey = cliCommand('key create', {
  summary: "make an API key for one of a user's clients, printed as a zuliprc",
  arguments: ['EMAIL'],
  options: {
    client: { value: 'NAME', help: 'what the key is for, to know it by later; without it, zuliprc' },
    'exempt-from-limits': { help: 'free it from the limit of requests, as a bridge or an import may need' },
    realm: realmOption,
  },
  details: 'The key is shown only once: the server keeps its hash alone. A bot’s owner can read a bot’s key.',
  async run(config, { EMAIL: email }, options) {
    const client = options.client?.trim() ?? 'zuliprc'
    if (client === '' || [...client].length > 30)
      throw new UsageError('A client’s name has 1 to 30 characters.')
    return withRealm(config, options.realm, async (realm, site) => {
      const user = activeUserOf(realm.state, email)
      const secrets = user.bot_type === null ? undefined : site.secrets
      const key = await realm.commit((change) => addApiKey(change, user.id, client, secrets))
      if (options['exempt-from-limits'])
        await exempt(realm, must(realm.state.apiKeyByHash(hashKey(key)), 'such key'), true)
      const url = realmUrl(site, realm.state.row)
      const { id } = must(realm.state.apiKeyByHash(hashKey(key)), 'such key')
      const text = zuliprc(user.delivery_email, key, url)
      return { text, data: { id, email: user.delivery_email, key, site: url } }
    })
  },
})

const listKeys = cliCommand('key list', {
  summary: 'list the API keys of an organization, or of one person',
  arguments: ['EMAIL?'],
  options: { realm: realmOption },
  async run(config, { EMAIL: email }, options) {
    return withRealm(config, options.realm, async ({ state }) => {
      const found = email ? state.apiKeysOfUser(userOf(state, email).id) : state.apiKeys.values()
      const keys = [...found]
        .sort((a, b) => a.id - b.id)
        .map(({ id, user_id, client, created_at, last_used_at, is_exempt_from_limits }) => {
          const email = state.users.get(user_id)?.delivery_email ?? ''
          return { id, email, client, created_at, last_used_at, is_exempt_from_limits }
        })
      const rows = keys.map((key) => [
        String(key.id),
        key.email,
        key.client,
        time(key.created_at),
        key.is_exempt_from_limits ? 'exempt' : 'limited',
      ])
      return { text: textTable(['ID', 'EMAIL', 'CLIENT', 'CREATED', 'REQUESTS'], rows), data: { keys } }
    })
  },
})

const revokeKey = cliCommand('key revoke', {
  summary: 'revoke an API key immediately; key list shows its ID',
  arguments: ['ID'],
  options: { realm: realmOption },
  run: (config, { ID: id }, options) =>
    withKey(config, options.realm, id, async (realm, key) => {
      await realm.commit((change) => change.deleteAll('api_key', [{ id: key.id }]))
      return { text: `The key ${describe(realm, key)} is revoked.`, data: { id: key.id } }
    }),
})

const exemptKey = cliCommand('key exempt', {
  summary: 'free an API key from the limit of requests (on), or not (off)',
  arguments: ['ID', 'on|off'],
  options: { realm: realmOption },
  async run(config, { ID: id, 'on|off': word }, options) {
    if (word !== 'on' && word !== 'off')
      throw new UsageError('rookery key exempt needs on or off after the ID.')
    return withKey(config, options.realm, id, async (realm, key) => {
      await exempt(realm, key, word === 'on')
      const state = word === 'on' ? 'free from the limit' : 'limited'
      const data = { id: key.id, is_exempt_from_limits: word === 'on' }
      return { text: `The key ${describe(realm, key)} is ${state} now.`, data }
    })
  },
})

export const keyCommands = [createKey, listKeys, revokeKey, exemptKey]

type KeyWork = (realm: RealmLog, key: ApiKeyRow) => Promise<Outcome>

async function withKey(config: CommandConfig, name: string | undefined, id: string, work: KeyWork) {
  if (!/^\d{1,9}$/.test(id)) throw new UsageError(`${id} is not the ID of a key: that is a number.`)
  return withRealm(config, name, async (realm) => {
    const key = realm.state.apiKeys.get(Number(id))
    if (key) return work(realm, key)
    const { name } = realm.state.row
    throw new Error(`There is no key ${id} in ${name}; rookery key list shows those that there are.`)
  })
}

function exempt(realm: RealmLog, { id }: ApiKeyRow, isExempt: boolean) {
  return realm.commit((change) => change.update('api_key', { id, is_exempt_from_limits: isExempt }))
}

function describe({ state }: RealmLog, key: ApiKeyRow) {
  const email = state.users.get(key.user_id)?.delivery_email ?? 'nobody'
  return `${key.id} (${key.client}) of ${email} in ${state.row.name}`
}
