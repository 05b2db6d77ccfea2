import type { Config } from '../../config/config.ts'
import { withClient } from '../database/with-client.ts'

type Missing = { what: string; advice: string }

/** Selects the organizations that lack an assignable user group of this name; a limited number of them. */
const withoutGroup = `
  SELECT r.name FROM realm r JOIN realm_head h ON h.realm_id = r.id WHERE NOT r.is_deactivated AND NOT EXISTS (
    SELECT FROM user_group g WHERE g.realm_id = r.id AND lower(g.name) = lower($1) AND NOT g.is_system_group
      AND NOT g.is_deactivated)
  ORDER BY r.id LIMIT 10`

/** Returns the configured user groups that do not exist: no user is put into them. */
export async function missingGroups(
  urls: ReadonlyMap<string, string>,
  { signOnGroups = [] }: Config,
): Promise<Missing[]> {
  const names = [...new Set(signOnGroups.map(([, ours]) => ours))]
  if (names.length === 0) return []
  return (await Promise.all([...urls.values()].map((url) => missingIn(url, names)))).flat()
}

function missingIn(url: string, names: string[]): Promise<Missing[]> {
  return withClient(url, async (client) => {
    const missing: Missing[] = []
    for (const name of names) {
      const { rows } = await client.query<{ name: string }>(withoutGroup, [name])
      if (rows.length === 0) continue
      missing.push({
        what: `ROOKERY_SIGN_ON_GROUPS names the user group ${name}, which is not in ${rows.map((row) => row.name).join(', ')}`,
        advice: 'Make it there, or correct its name; until then nobody is put into it.',
      })
    }
    return missing
  })
}
