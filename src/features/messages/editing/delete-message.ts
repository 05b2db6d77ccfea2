import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest, noSuchMessage } from '../../../lib/api-error.ts'
import { mayRead, messageToRead } from '../../kernel/messages/access.ts'
import { checkMayDelete } from '../kernel/editing/access.ts'
import { removeMessages } from '../kernel/editing/remove-messages.ts'
import { targetQuery } from './edited-message.ts'

export const deleteMessage = command('DELETE /messages/{message_id}', {
  summary: 'Delete a message',
  access: requireUser,
  params: { message_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, read, commit, site }) {
    checkMayDelete(realm, me, await messageToRead(realm, me, read, params.message_id), site.clock())
    await commit(async (change) => {
      const { state } = change
      const [message] = await change.run(targetQuery(realm.id, params.message_id))
      if (!message) throw badRequest('Message already deleted')
      // It may have been moved to where the user may not read it.
      if (!mayRead(state, state.users.require(me.id), message)) throw noSuchMessage()
      checkMayDelete(state, me, message, change.now)
      await removeMessages(change, message.recipient_id, message.topic, [message.id], me.id)
    })
    return {}
  },
})
