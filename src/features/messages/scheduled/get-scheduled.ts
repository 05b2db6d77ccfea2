import { z } from 'zod'
import { readSelection } from '../../../db/selection.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { scheduledBy, scheduledSchema } from '../kernel/scheduled/scheduled.ts'

export const getScheduled = query('GET /scheduled_messages', {
  summary: "List the caller's scheduled messages in order of delivery",
  since: 173,
  access: requireUser,
  params: {},
  returns: { scheduled_messages: z.array(scheduledSchema) },
  async handle({ realm, me, read }) {
    return { scheduled_messages: await readSelection(read, scheduledBy(realm, me)) }
  },
})
