import { sql } from 'kysely'
import type { IdentityRow } from '../../db/schema.ts'
import { putPassword } from '../../features/accounts/kernel/login/put-password.ts'
import { addPerson } from '../../features/accounts/kernel/users/add-person.ts'
import { checkFullName } from '../../features/people/kernel/users/names.ts'
import { changeUser } from '../../features/people/users/change-user.ts'
import { isEmail } from '../../lib/text/email.ts'
import { cliCommand, UsageError } from '../command.ts'
import { realmOption, userOf, withRealm } from '../context.ts'
import { textTable } from '../output.ts'
import { ownerIn } from '../perform.ts'
import { hashGiven, newPassword, passwordOption, readPassword } from './password.ts'
import { permissionNamed, permissions, permissionsOf, roleName, roleNamed, userData } from './user-words.ts'

const createUser = cliCommand('user create', {
  summary: 'make an account for a person; all clients receive it immediately',
  arguments: ['EMAIL'],
  options: {
    name: { value: '"FULL NAME"', help: 'what others see (needed)' },
    realm: realmOption,
    role: { value: 'ROLE', help: 'owner, administrator, moderator, member (the default) or guest' },
    password: passwordOption,
  },
  async run(config, { EMAIL: email }, options) {
    if (options.name === undefined) throw new UsageError('rookery user create needs --name "FULL NAME".')
    if (!isEmail(email)) throw new UsageError(`${email} is not an email address.`)
    const name = options.name
    const role = roleNamed(options.role ?? 'member')
    const given = await readPassword(options.password)
    return withRealm(config, options.realm, async ({ state, commit }, site) => {
      const fullName = checkFullName(state, name)
      const password = given ?? newPassword()
      const passwordHash = await hashGiven(state, password, { email, fullName })
      const user = await commit((change) => {
        checkFullName(change.state, fullName)
        return addPerson(change, site, { email, fullName, role, passwordHash })
      })
      const done = `${fullName} <${email}> was created, as ${roleName(user)} with the id ${user.id}.`
      const data = { user: userData(user), ...(given === undefined && { password }) }
      return {
        text: given === undefined ? `${done}\nThe password, not shown again: ${password}` : done,
        data,
      }
    })
  },
})

const setPassword = cliCommand('user password', {
  summary: 'give a person a new password; their API keys go on working',
  arguments: ['EMAIL'],
  options: { realm: realmOption, password: passwordOption },
  async run(config, { EMAIL: email }, options) {
    const given = await readPassword(options.password)
    return withRealm(config, options.realm, async ({ state, commit }) => {
      const user = userOf(state, email)
      if (user.bot_type !== null) throw new Error(`${email} is a bot, and bots have no password.`)
      const password = given ?? newPassword()
      const passwordHash = await hashGiven(state, password, {
        email: user.delivery_email,
        fullName: user.full_name,
      })
      await commit((change) => putPassword(change, user.id, passwordHash))
      const done = `${user.full_name} <${user.delivery_email}> has a new password.`
      const data = { user: userData(user), ...(given === undefined && { password }) }
      return { text: given === undefined ? `${done}\nIt is not shown again: ${password}` : done, data }
    })
  },
})

const setRole = cliCommand('user role', {
  summary: 'make a user owner, administrator, moderator, member or guest',
  arguments: ['EMAIL', 'ROLE'],
  options: { realm: realmOption },
  async run(config, args, options) {
    const role = roleNamed(args.ROLE)
    return withRealm(config, options.realm, async ({ state, commit }, site) => {
      const user = userOf(state, args.EMAIL)
      // An operator of the server has the permissions of an owner. An export of another server may have had none.
      const me = ownerIn(state)
      if (me) {
        await changeUser({ realm: state, site, me, commit }, user, {
          role,
          full_name: undefined,
          new_email: undefined,
        })
      } else await commit((change) => change.update('account', { id: user.id, role }))
      const text = `${user.full_name} <${user.delivery_email}> is ${roleName({ role })} now.`
      return { text, data: { user: userData(state.users.require(user.id)) } }
    })
  },
})

const unlinkUser = cliCommand('user unlink', {
  summary:
    'unlink a user’s account from their identity at the sign-on service; the next one with their address gets it',
  arguments: ['EMAIL'],
  options: { realm: realmOption },
  async run(config, args, options) {
    return withRealm(config, options.realm, async ({ state, commit }) => {
      const user = userOf(state, args.EMAIL)
      const parted = await commit(async (change) => {
        const links = await change.run(sql<IdentityRow>`
          SELECT * FROM identity WHERE realm_id = ${state.id} AND user_id = ${user.id}`)
        await change.deleteAll('identity', links)
        return links
      })
      const outcome =
        parted.length > 0 ? 'is linked with nobody at the sign-on service now' : 'was linked with nobody'
      const text = `${user.full_name} <${user.delivery_email}> ${outcome}.`
      return { text, data: { user: userData(user), unlinked: parted.length } }
    })
  },
})

const permissionHelp = 'create-users or change-emails; may be given several times'

const setPermission = cliCommand('user permission', {
  summary: 'grant or revoke what no client can: create-users, change-emails',
  arguments: ['EMAIL'],
  options: {
    grant: { value: 'PERMISSION', help: permissionHelp, many: true },
    revoke: { value: 'PERMISSION', help: permissionHelp, many: true },
    realm: realmOption,
  },
  details: `create-users: create accounts through the API, as an administrator. change-emails: change other people's email
addresses, as an owner. Without --grant and --revoke, the permissions are shown as they are.`,
  async run(config, { EMAIL: email }, options) {
    const granted = options.grant.map(permissionNamed)
    const revoked = options.revoke.map(permissionNamed)
    const both = granted.find((permission) => revoked.includes(permission))
    if (both) throw new UsageError(`${both} cannot be granted and revoked in one command.`)
    const columns = Object.fromEntries([
      ...granted.map((permission) => [permissions[permission], true]),
      ...revoked.map((permission) => [permissions[permission], false]),
    ])
    return withRealm(config, options.realm, async (realm) => {
      let user = userOf(realm.state, email)
      if (Object.keys(columns).length > 0) {
        user = await realm.commit((change) => change.update('account', { id: user.id, ...columns }))
      }
      const may = permissionsOf(user).join(', ') || 'nothing special'
      return {
        text: `${user.full_name} <${user.delivery_email}> may: ${may}.`,
        data: { user: userData(user) },
      }
    })
  },
})

const listUsers = cliCommand('user list', {
  summary: 'list the people and bots of an organization',
  options: { realm: realmOption },
  async run(config, _args, options) {
    return withRealm(config, options.realm, async ({ state }) => {
      const users = [...state.users.values()]
        .filter((user) => !user.is_system_bot)
        .sort((a, b) => a.id - b.id)
      const rows = users.map((user) => [
        String(user.id),
        user.delivery_email,
        user.full_name,
        user.bot_type === null ? roleName(user) : `${roleName(user)}, bot`,
        user.is_active ? 'active' : 'deactivated',
        permissionsOf(user).join(', '),
      ])
      const text = textTable(['ID', 'EMAIL', 'NAME', 'ROLE', 'STATE', 'MAY'], rows)
      return { text, data: { users: users.map(userData) } }
    })
  },
})

export const userCommands = [createUser, setPassword, setRole, setPermission, unlinkUser, listUsers]
