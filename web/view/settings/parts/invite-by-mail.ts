import { ApiFailure, postOnce } from '../../../api/client.ts'
import { ShownError } from '../../../lib/error-message.ts'
import { invitedText } from './mail-note.tsx'

type Refusals = {
  errors?: [address: string, reason: string, isDeactivated: boolean][]
  sent_invitations?: boolean
}

/**
 * Invites people by mail, and returns the text for the user, which names those who got no invitation. Throws an error that
 * names the addresses at fault if nobody got one.
 */
export async function inviteByMail(emails: string, terms: object): Promise<string> {
  try {
    // Some mail programs put semicolons between addresses.
    await postOnce('/invites', { invitee_emails: emails.replaceAll(';', ','), ...terms })
  } catch (error) {
    const { errors = [], sent_invitations } = error instanceof ApiFailure ? (error.body as Refusals) : {}
    if (errors.length === 0) throw error
    const reasons = errors.map(([address, reason]) => `${address}: ${reason}`)
    const text = [(error as ApiFailure).message, ...reasons].join(' ')
    if (sent_invitations) return text
    throw new ShownError(text)
  }
  return invitedText()
}
