import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
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
      const [message] = await change.run(targetQuery(realm.id, params.message_id))
      if (!message) throw badRequest('Message already deleted')
      checkMayDelete(change.state, me, message, change.now)
      await removeMessages(change, message.recipient_id, message.topic, [message.id])
    })
    return {}
  },
})
