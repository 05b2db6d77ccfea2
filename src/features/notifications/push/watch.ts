import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import { watch } from '../../../jobs/watch.ts'
import type { Repeated } from '../../../lib/async/repeat-every.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmLog } from '../../../log/realm-log.ts'
import type { Realms } from '../../../log/realms.ts'
import { pushLimits } from './limits.ts'
import { queuePushes } from './queue-pushes.ts'

/** Scans the logs regularly for push notifications. */
export function watchPushes(
  realms: Realms,
  site: Site,
  adapters: Adapters,
  report: (error: unknown) => void,
): Repeated {
  const step = (log: RealmLog) => queuePushes({ log, read: log.database.read, site, adapters })
  return watch(realms, { seconds: pushLimits.pushPollSeconds, behind, step }, site.clock, report)
}

const behind = sql<{ realm_id: number }>`
  SELECT h.realm_id FROM realm_head h JOIN realm r ON r.id = h.realm_id
  LEFT JOIN push_position p ON p.realm_id = h.realm_id
  WHERE NOT r.is_deactivated AND (h.last_event_id > p.event_id OR (p.event_id IS NULL
    AND EXISTS (SELECT FROM push_device d WHERE d.realm_id = h.realm_id)))`
