import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { realmUrl } from '../../../lib/site.ts'

export const createBigBlueButtonCall = query('GET /calls/bigbluebutton/create', {
  summary: 'Create a BigBlueButton call and return its join URL, which requires a login',
  access: requireUser,
  params: {
    meeting_name: text({ max: 200 }),
    voice_only: boolean().default(false), // level 337
  },
  returns: { url: z.string() },
  async handle({ realm, site, adapters, me, params }) {
    const { bigBlueButton } = adapters
    if (!bigBlueButton) throw badRequest('BigBlueButton is not configured.')
    const ticket = bigBlueButton.ticket(realm.id, {
      id: randomUUID(),
      name: params.meeting_name,
      moderatorId: me.id,
      voiceOnly: params.voice_only,
    })
    return { url: `${realmUrl(site, realm.row)}/calls/bigbluebutton/join?bigbluebutton=${ticket}` }
  },
})
