import type { AccountRow } from '../../../db/schema.ts'
import { type Access, query } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'

/** Allows every caller. Users who are not logged in are asked to log in first. */
const allowEveryone: Access<AccountRow | null> = (_, caller) => caller

export const joinBigBlueButtonCall = query('GET /calls/bigbluebutton/join', {
  summary: 'Join a BigBlueButton call as the current user',
  root: true,
  access: allowEveryone,
  params: { bigbluebutton: text() },
  returns: {},
  async handle({ realm, adapters, me, params, request }) {
    const { bigBlueButton } = adapters
    if (!bigBlueButton) throw badRequest('BigBlueButton is not configured.')
    const ticket = params.bigbluebutton
    if (!me) {
      const here = `${request.path}?bigbluebutton=${encodeURIComponent(ticket)}`
      return new RedirectAnswer(`/login?next=${encodeURIComponent(here)}`, { status: 302 })
    }
    const meeting = bigBlueButton.meetingOf(realm.id, ticket)
    if (!meeting) throw badRequest('Invalid signature.')
    return new RedirectAnswer(await bigBlueButton.enter(meeting, me), { status: 302 })
  },
})
