import { sql } from 'kysely'
import { watch } from '../../../jobs/watch.ts'
import type { Repeated } from '../../../lib/async/repeat-every.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmLog } from '../../../log/realm-log.ts'
import type { Realms } from '../../../log/realms.ts'
import { missedLimits } from '../kernel/missed-messages/limits.ts'
import { recordMissedMessages } from '../kernel/missed-messages/record-missed-messages.ts'

/** Scans regularly for messages whose recipients may be away. */
export function watchMissed(realms: Realms, site: Site, report: (error: unknown) => void): Repeated {
  const step = (log: RealmLog) => recordMissedMessages(log, log.database.read, site)
  return watch(realms, { seconds: missedLimits.missedPollSeconds, behind, step }, site.clock, report)
}

const behind = sql<{ realm_id: number }>`
  SELECT h.realm_id FROM realm_head h JOIN realm r ON r.id = h.realm_id
  LEFT JOIN missed_position p ON p.realm_id = h.realm_id
  WHERE h.last_message_id > coalesce(p.message_id, 0) AND NOT r.is_deactivated`
