import type { AccountRow } from '../../../db/schema.ts'
import { derived } from '../../../log/derived.ts'

/** Returns all bots, active or not, those of the system included: looking through all users at each request would take long. */
export const allBots = derived<readonly AccountRow[]>(
  (realm) => realm.users.version,
  (realm) => [...realm.users.values()].filter((user) => user.bot_type !== null || user.is_system_bot),
)
