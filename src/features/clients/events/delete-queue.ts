import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'

export const deleteQueue = query('DELETE /events', {
  summary: 'Delete an event queue',
  access: requireUser,
  params: { queue_id: text() },
  returns: {},
  async handle({ me, params, queues }) {
    await queues.delete(await queues.find(me.id, params.queue_id))
    return {}
  },
})
