import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer } from '../../../http/params.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { realmUrl } from '../../../lib/site.ts'
import { render } from '../../../markdown/render.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
import { noticeLookup } from '../../kernel/messages/markdown-lookup.ts'
import { checkOwnTexts } from '../kernel/own-texts/own-texts.ts'
import { checkFuture } from '../kernel/scheduled/scheduled.ts'
import { reminderLimits } from './limits.ts'
import { reminderText } from './reminder-text.ts'
import { reminderAdded } from './reminders.event.ts'
import { reminderJobKind, reminderView } from './reminders.ts'

export const createReminder = command('POST /reminders', {
  summary: 'Create a reminder about a message',
  since: 381,
  creates: true,
  access: requireUser,
  params: { message_id: integer(), scheduled_delivery_timestamp: integer() },
  returns: { reminder_id: z.int() },
  async handle({ realm, me, params, read, site, conclude }) {
    const { message_id, scheduled_delivery_timestamp: deliver_at } = params
    checkFuture(deliver_at, site.clock())
    const message = await messageToRead(realm, me, read, message_id)
    const url = realmUrl(site, realm.row)
    const content = reminderText(realm, url, me, message)
    const rendered_content = render(content, noticeLookup(realm, url, me)).html
    return conclude(async (change) => {
      const reminder = { user_id: me.id, message_id, content, rendered_content, deliver_at }
      const row = await change.insert('reminder', reminder)
      await checkOwnTexts(change, me.id, 'reminders', reminderLimits.remindersPerUser)
      await scheduleJob(change, reminderJobKind, row.id, deliver_at)
      change.emit(reminderAdded(reminderView(row)), { users: [me.id] })
      return { reminder_id: row.id }
    })
  },
})
