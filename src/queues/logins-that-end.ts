import type { Entry } from '../log/entry.ts'
import type { RealmState } from '../log/realm-state.ts'

/** Whether entries that were just folded in may have ended logins: by a deleted session or key, or a deactivated user. */
export function mayEndLogins(entries: Entry[], state: RealmState): boolean {
  return entries.some(({ rows }) => rows?.some(([table, id]) => endsLogin(state, table, Number(id))))
}

function endsLogin({ users, sessions, apiKeys }: RealmState, table: string, id: number): boolean {
  if (table === 'account') return users.get(id)?.is_active === false
  return (table === 'session' && !sessions.get(id)) || (table === 'api_key' && !apiKeys.get(id))
}
