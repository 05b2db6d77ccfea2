import { removeAll } from '../../adapters/files/remove-all.ts'
import { allUrls } from '../../db/databases.ts'
import { deactivateRealm } from '../../features/organization/settings/deactivate-realm.ts'
import { isSubdomain, realmUrl } from '../../lib/site.ts'
import { deleteRealm } from '../../log/lifecycle/delete-realm.ts'
import { cliCommand, UsageError } from '../command.ts'
import { realmOption, withRealm } from '../context.ts'
import { joinDatabase } from '../database/database.ts'
import { withoutBackup } from '../database/without-backup.ts'
import { configuredFiles } from '../files.ts'
import { remark } from '../output.ts'
import { perform } from '../perform.ts'
import { withFreeName } from './realm.ts'

const deactivate = cliCommand('realm deactivate', {
  summary: 'close an organization: nobody can log in, and everything stays; realm reactivate opens it again',
  options: { realm: realmOption },
  async run(config, _args, options) {
    return withRealm(config, options.realm, async (log, site, realms) => {
      const { name, id, is_deactivated } = log.state.row
      if (is_deactivated) throw new Error(`${name} is deactivated already.`)
      await perform({ config, log, site, realms }, deactivateRealm, {})
      return { text: `${name} is closed.`, data: { organization: { id, name, is_deactivated: true } } }
    })
  },
})

const rename = cliCommand('realm rename', {
  summary:
    'reach an organization as NAME. in front of the public host name, or, with -, on the public host itself',
  arguments: ['NAME'],
  options: { realm: realmOption },
  details: `Clients and links that have the old address do not find the organization any more, and users must log in again. What people see
as its name is changed by: rookery settings set name "FULL NAME"`,
  async run(config, { NAME: wanted }, options) {
    if (wanted !== '-' && !isSubdomain(wanted)) {
      throw new UsageError(`${wanted} cannot be an organization's NAME: see rookery realm create --help.`)
    }
    const subdomain = wanted === '-' ? '' : wanted
    return withRealm(config, options.realm, async ({ state, commit }, site, realms) => {
      const { id, name } = await withFreeName(config, realms, subdomain, () =>
        commit((change) => change.update('realm', { id: state.id, subdomain })),
      )
      const url = realmUrl(site, { subdomain })
      return { text: `${name} is at ${url} now.`, data: { organization: { id, name, subdomain, url } } }
    })
  },
})

const remove = cliCommand('realm delete', {
  summary: 'delete a deactivated organization with everything in it, for good',
  options: {
    confirm: {
      value: '"FULL NAME"',
      help: 'the full name of the organization, to be sure that it is the right one',
    },
    realm: { value: 'NAME', help: 'the organization; - is the first one' },
  },
  details: `Its messages, accounts, files and its audit log are gone afterwards; backups and exports stay. Deactivate it first, and
export it if there is any doubt. If the command is interrupted, files may remain in the store: rookery files check --remove-orphaned removes them.`,
  async run(config, _args, options) {
    const { realm: named } = options
    if (!named) throw new UsageError('Which organization? Give --realm NAME, or --realm - for the first one.')
    const main = await joinDatabase(config, remark)
    const urls = allUrls({ ...config, databaseUrl: main.url })
    try {
      return await withRealm(config, named === '-' ? '' : named, async ({ state }, _, { databases }) => {
        const { id, name, is_deactivated } = state.row
        if (!is_deactivated)
          throw new Error(`${name} is not deactivated: run rookery realm deactivate first.`)
        if (options.confirm !== name) {
          throw new UsageError(`To delete ${name} for good, add: --confirm "${name}"`)
        }
        const files = await withoutBackup(main.url, async () => {
          await deleteRealm(databases, urls, id)
          return removeAll(configuredFiles(config), `${id}/`)
        })
        return {
          text: `${name} is deleted, with ${files} files.`,
          data: { organization: { id, name }, files },
        }
      })
    } finally {
      await main.close()
    }
  },
})

export const realmLifeCommands = [deactivate, rename, remove]
