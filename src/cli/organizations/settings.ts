import { closestMatch } from 'leven'
import type { GroupSetting } from '../../db/values.ts'
import { realmPermissionValue } from '../../features/kernel/groups/access.ts'
import { type RealmPermission, realmPermissions } from '../../features/kernel/groups/permission-settings.ts'
import { realmSettings } from '../../features/kernel/settings/settings.ts'
import { auditDays, keepAuditLog } from '../../features/organization/audit-log/retention.ts'
import { realmSettingParams } from '../../features/organization/settings/realm-params.ts'
import { updateRealm } from '../../features/organization/settings/update-realm.ts'
import { namesIn } from '../../lib/collections/records.ts'
import { messageOf } from '../../lib/errors.ts'
import { lower } from '../../lib/text/lower.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { cliCommand, UsageError } from '../command.ts'
import { realmOption, withRealm } from '../context.ts'
import { textTable } from '../output.ts'
import { perform, type Workplace } from '../perform.ts'
import { checkRealmTitle } from './realm.ts'

const auditSetting = 'audit_log_retention_days'
const names: string[] = ['name', ...namesIn(realmSettingParams), ...namesIn(realmPermissions), auditSetting]

const get = cliCommand('settings get', {
  summary: 'show the settings and permissions of an organization, or one of them',
  arguments: ['NAME?'],
  options: { realm: realmOption },
  details:
    'Names and values are those of PATCH /realm. A permission is shown by the name of the group that holds it.',
  async run(config, { NAME: name }, options) {
    if (name !== undefined) checkName(name)
    return withRealm(config, options.realm, async ({ state }) => {
      const settings = Object.fromEntries(
        names.filter((one) => name === undefined || one === name).map((one) => [one, settingOf(state, one)]),
      )
      const lines = Object.entries(settings).map(([one, value]) => [one, shown(value)])
      const text = name === undefined ? textTable(['NAME', 'VALUE'], lines) : shown(settings[name])
      return { text, data: { settings } }
    })
  },
})

const set = cliCommand('settings set', {
  summary: 'change a setting or a permission of an organization; clients receive it immediately',
  arguments: ['NAME', 'VALUE'],
  options: { realm: realmOption },
  details: `NAME and VALUE are those of PATCH /realm: true, 600, unlimited, a text. For a permission, VALUE is the name of a group,
as role:administrators, or {"direct_members": [USER_ID …], "direct_subgroups": [GROUP_ID …]}. ${auditSetting} is a
number of days, or null: forever.`,
  async run(config, { NAME: name, VALUE: value }, options) {
    checkName(name)
    return withRealm(config, options.realm, async (log, site, realms) => {
      const before = settingOf(log.state, name)
      await change({ config, log, site, realms }, name, value).catch((error) => {
        if (messageOf(error) !== `${name} is not valid JSON`) throw error
        throw new UsageError(`${name} cannot be ${value}; it is ${shown(before)} now.`)
      })
      const after = settingOf(log.state, name)
      return { text: `${name}: ${shown(before)} -> ${shown(after)}`, data: { name, before, after } }
    })
  },
})

export const settingsCommands = [get, set]

function checkName(name: string) {
  if (names.includes(name)) return
  const nearest = closestMatch(name, names, { maxDistance: 4 })
  const hint = nearest ? `did you mean ${nearest}?` : 'rookery settings get lists those that there are.'
  throw new UsageError(`There is no setting ${name}; ${hint}`)
}

async function change(place: Workplace, name: string, value: string) {
  const { log } = place
  if (name === auditSetting) {
    const days = value === 'null' ? null : Number(value)
    if (days !== null && !Number.isInteger(days))
      throw new UsageError(`${auditSetting} is a number of days, or null.`)
    return log.commit((change) => keepAuditLog(change, days))
  }
  return perform(place, updateRealm, { [name]: paramFor(log.state, name, value) })
}

/** Returns the parameters of PATCH /realm. That operation would also accept a name of spaces. */
function paramFor(state: RealmState, name: string, value: string) {
  if (name === 'name') return checkRealmTitle(value)
  return isPermission(name) ? { new: holdersNamed(state, value) } : value
}

function isPermission(name: string): name is RealmPermission {
  return Object.hasOwn(realmPermissions, name)
}

/** Returns the value of a permission: a group by its name, or any value that the API accepts. */
function holdersNamed(state: RealmState, text: string): GroupSetting {
  const group = state.groupByName(lower(text))
  if (group) return group.id
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`There is no group ${text}, and it is no JSON either.`)
  }
}

function settingOf(state: RealmState, name: string): unknown {
  if (name === 'name') return state.row.name
  if (name === auditSetting) return auditDays(state)
  if (!isPermission(name)) return (realmSettings(state) as Record<string, unknown>)[name]
  const holders = realmPermissionValue(state, name)
  return typeof holders === 'number' ? state.groups.require(holders).name : holders
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
