import { deactivateUser } from '../../features/accounts/user-lifecycle/deactivate-user.ts'
import { reactivateUser } from '../../features/accounts/user-lifecycle/reactivate-user.ts'
import { deactivateBot } from '../../features/bots/bots/deactivate-bot.ts'
import { addressRefusal } from '../../features/people/users/allowed-addresses.ts'
import { checkEmailIsFree } from '../../features/people/users/emails.ts'
import { updateUser } from '../../features/people/users/update-user.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Site } from '../../lib/site.ts'
import { isEmail } from '../../lib/text/email.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { type CommandConfig, cliCommand, type Outcome, UsageError } from '../command.ts'
import { realmOption, userOf, withRealm } from '../context.ts'
import { perform } from '../perform.ts'
import { userData } from './user-words.ts'

const deactivateOne = cliCommand('user deactivate', {
  summary: 'close the account of a person or a bot: sessions and keys end, what they wrote stays',
  arguments: ['EMAIL'],
  options: {
    comment: {
      value: 'TEXT',
      help: 'mail them that their account was deactivated, with this text (may be empty)',
    },
    realm: realmOption,
  },
  details:
    'Bots of a person are deactivated with them. The last owner of an organization cannot be deactivated.',
  run: (config, { EMAIL: email }, { realm, comment }) =>
    changeUser(config, realm, email, 'is deactivated now', (user) =>
      user.bot_type === null
        ? [deactivateUser, { user_id: user.id, deactivation_notification_comment: comment }]
        : [deactivateBot, { bot_id: user.id }],
    ),
})

const reactivateOne = cliCommand('user reactivate', {
  summary: 'open the account of a person or a bot again, with the channels and groups that they had',
  arguments: ['EMAIL'],
  options: { realm: realmOption },
  run: (config, { EMAIL: email }, { realm }) =>
    changeUser(config, realm, email, 'is active now', (user) => {
      if (user.is_active) throw new Error(`${email} is active.`)
      return [reactivateUser, { user_id: user.id }]
    }),
})

const rename = cliCommand('user rename', {
  summary: 'give a user another full name',
  arguments: ['EMAIL', 'NAME'],
  options: { realm: realmOption },
  async run(config, { EMAIL: email, NAME: name }, { realm }) {
    if (name.trim() === '') throw new UsageError('The NAME is empty.')
    return changeUser(config, realm, email, 'has this name now', (user) => [
      updateUser,
      { user_id: user.id, full_name: name },
    ])
  },
})

const changeEmail = cliCommand('user email', {
  summary: 'give a user another email address; they log in with it from now on',
  arguments: ['EMAIL', 'NEW'],
  options: { realm: realmOption },
  async run(config, { EMAIL: email, NEW: next }, options) {
    if (!isEmail(next)) throw new UsageError(`${next} is not an email address.`)
    return withRealm(config, options.realm, async ({ state, commit }, site) => {
      const { id } = userOf(state, email)
      const user = await commit((change) => {
        checkAddress(change.state, site, id, next)
        return change.update('account', { id, delivery_email: next })
      })
      const text = `${user.full_name} has the address ${user.delivery_email} now, and had ${email}.`
      return { text, data: { user: userData(user) } }
    })
  },
})

export const userStateCommands = [deactivateOne, reactivateOne, rename, changeEmail]

function checkAddress(state: RealmState, site: Site, userId: number, email: string) {
  const refusal = addressRefusal(state, email)
  if (refusal) throw new Error(`The organization does not allow ${email}: ${refusal}`)
  const { delivery_email } = state.users.require(userId)
  if (delivery_email.toLowerCase() !== email.toLowerCase()) checkEmailIsFree(state, site, email)
}

type Request = [endpoint: Endpoint, sent: Record<string, unknown>]

/** Changes a user by an operation of the API. */
function changeUser(
  config: CommandConfig,
  name: string | undefined,
  email: string,
  isDone: string,
  request: (user: ReturnType<typeof userOf>) => Request,
): Promise<Outcome> {
  return withRealm(config, name, async (log, site, realms) => {
    const { id } = userOf(log.state, email)
    const [endpoint, sent] = request(log.state.users.require(id))
    await perform({ config, log, site, realms }, endpoint, sent)
    const user = log.state.users.require(id)
    return {
      text: `${user.full_name} <${user.delivery_email}> ${isDone}.`,
      data: { user: userData(user) },
    }
  })
}
