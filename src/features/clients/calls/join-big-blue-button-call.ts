import type { AccountRow } from '../../../db/schema.ts'
import { type Access, query } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { loginRedirect, RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'

/** Allows a user, or a caller without credentials, who is then asked to log in. Refuses bad credentials, as optionalUser does not. */
const userOrAnonymous: Access<AccountRow | null> = (_, caller) => caller

export const joinBigBlueButtonCall = query('GET /calls/bigbluebutton/join', {
  summary: 'Join a BigBlueButton call as the current user',
  root: true,
  access: userOrAnonymous,
  params: { bigbluebutton: text() },
  returns: {},
  async handle({ realm, adapters, me, params, request }) {
    const { bigBlueButton } = adapters
    if (!bigBlueButton) throw badRequest('BigBlueButton is not configured.')
    const ticket = params.bigbluebutton
    if (!me) return loginRedirect(`${request.path}?bigbluebutton=${encodeURIComponent(ticket)}`, 302)
    const meeting = bigBlueButton.meetingOf(realm.id, ticket)
    if (!meeting) throw badRequest('Invalid signature.')
    return new RedirectAnswer(await bigBlueButton.enter(meeting, me), { status: 302 })
  },
})
