import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { everythingRead } from '../../kernel/flags/update_message_flags.event.ts'
import { markEverythingRead } from '../kernel/flags/read-state.ts'

export const markAllAsRead = command('POST /mark_all_as_read', {
  summary: 'Mark all messages as read (deprecated: POST /messages/flags/narrow)',
  access: requireUser,
  params: {},
  returns: { complete: z.boolean() }, // level 211: whether all messages are marked
  async handle({ me, commit }) {
    await commit(async (change) => {
      await markEverythingRead(change, me)
      change.emit(everythingRead(), { users: [me.id] })
    })
    return { complete: true }
  },
})
