import { z } from 'zod'
import { readSelection } from '../../../db/selection.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { reminderSchema, remindersOf } from './reminders.ts'

export const getReminders = query('GET /reminders', {
  summary: "List the caller's reminders, the earliest first",
  since: 399,
  access: requireUser,
  params: {},
  returns: { reminders: z.array(reminderSchema) },
  async handle({ realm, me, read }) {
    return { reminders: await readSelection(read, remindersOf(realm, me)) }
  },
})
