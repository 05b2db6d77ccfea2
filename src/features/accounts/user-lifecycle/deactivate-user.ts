import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { prepareSubscribers } from '../../channels/kernel/subscriptions/subscribers.ts'
import { letter } from '../../kernel/mail/letter.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { checkOwnerRights, deactivate } from '../../kernel/users/deactivation.ts'
import { userById, userToAdminister } from '../../people/kernel/users/access.ts'
import { isLastOwner } from '../../people/users/change-user.ts'
import { deactivationLimits } from './limits.ts'

export const deactivateUser = command('DELETE /users/{user_id}', {
  summary: 'Deactivate a user',
  access: requireUser,
  params: {
    user_id: pathInteger(),
    // If it is given, even empty, the user is notified by mail (level 135).
    deactivation_notification_comment: text({
      max: deactivationLimits.deactivationCommentLength,
      trim: true,
    }).optional(),
  },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const { user_id, deactivation_notification_comment: comment } = params
    deactivatable(realm, me, user_id)
    await prepareSubscribers(realm, user_id)
    await commit(async (change) => {
      const { state } = change
      const target = deactivatable(state, state.users.require(me.id), user_id)
      await deactivate(change, target)
      if (comment !== undefined) await mailFarewell(change, target, comment)
    })
    return {}
  },
})

async function mailFarewell(change: Change, user: AccountRow, comment: string) {
  const { name } = change.state.row
  const to = user.delivery_email
  const body = letter([
    `Your account ${to} in ${name} has been deactivated: you can no longer log in.`,
    ...(comment === '' ? [] : [{ quote: comment, from: 'An administrator says' }]),
  ])
  const subject = `Your account in ${name} has been deactivated`
  await queueMail(change, { kind: 'deactivated', to, subject, userId: user.id, ...body })
}

function deactivatable(realm: RealmState, me: AccountRow, id: number): AccountRow {
  const target = userById(realm, me, id)
  if (target.bot_type !== null) throw badRequest('No such user')
  if (!target.is_active) throw badRequest('User is deactivated')
  userToAdminister(me, target)
  checkOwnerRights(me, target)
  if (target.role === roles.owner && isLastOwner(realm, target)) {
    throw badRequest('Cannot deactivate the only organization owner')
  }
  return target
}
