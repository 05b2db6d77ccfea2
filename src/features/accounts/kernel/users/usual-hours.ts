import { sql } from 'kysely'
import type { LoginRow } from '../../../../db/schema.ts'
import type { RequestInfo } from '../../../../http/endpoint.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import { changeSettings } from '../../../people/kernel/users/change-settings.ts'

/**
 * The first login of a user sets the hours in which they see times, unless they or their organization have chosen: 24 if those of the
 * browser's language are. The default of the API is 12 for everyone, and a client cannot tell it from a choice.
 */
export async function takeUsualHours(
  change: Change,
  site: Site,
  { id, user_id }: LoginRow,
  request: Pick<RequestInfo, 'header'>,
) {
  if (change.state.users.get(user_id)?.settings.twenty_four_hour_time !== undefined) return
  if (!has24Hours(request.header('accept-language'))) return
  const earlier = await change.run(sql`
    SELECT 1 FROM login WHERE realm_id = ${change.state.id} AND user_id = ${user_id} AND id < ${id} LIMIT 1`)
  if (earlier.length === 0) await changeSettings(change, site, user_id, { twenty_four_hour_time: true })
}

/** Whether the language that a browser names first writes times with 24 hours. */
function has24Hours(accepted = ''): boolean {
  const [first = ''] = accepted.split(/[,;]/)
  try {
    const { hour12 } = new Intl.DateTimeFormat(first.trim(), { hour: 'numeric' }).resolvedOptions()
    return hour12 === false
  } catch {
    return false
  }
}
