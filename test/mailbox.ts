import { sql } from 'kysely'
import type { MailRow } from '../src/db/schema.ts'
import type { Organization } from './organization.ts'

/** Returns the mails in the outbox for an address, the oldest first, where nothing delivers them. */
export function mailsTo(org: Organization, email: string): Promise<MailRow[]> {
  return org.log.commit((change) =>
    change.run(sql<MailRow>`
      SELECT * FROM mail WHERE realm_id = ${org.id} AND recipient = ${email} ORDER BY id`),
  )
}

/** The key in the link of the newest mail to an address. */
export async function keyMailedTo(org: Organization, email: string): Promise<string> {
  const text = (await mailsTo(org, email)).at(-1)?.text ?? ''
  const [, key] = /\/accounts\/do_confirm\/(\w+)/.exec(text) ?? []
  if (!key) throw new Error(`no link in the mail to ${email}: ${text}`)
  return key
}
