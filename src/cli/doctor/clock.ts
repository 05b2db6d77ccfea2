import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { systemMilliseconds } from '../../lib/clock.ts'
import { firstIn } from '../../lib/must.ts'
import type { Finding } from './checks.ts'

const advice = 'Let this machine follow time servers (NTP).'

/** Seconds that clocks may differ: those of other servers are read to the second. */
const [noticeable, harmful] = [10, 60]

/** Checks the clock of this machine against that of another service, if the settings name one that answers. */
export async function* checkClockOutside(config: Config): AsyncGenerator<Finding> {
  const { oidcIssuer, s3Endpoint, pushRelayUrl, bigBlueButtonUrl } = config
  for (const url of [oidcIssuer, s3Endpoint, pushRelayUrl, bigBlueButtonUrl]) {
    const skew = url === undefined ? undefined : await skewTo(url)
    if (url === undefined || skew === undefined) continue
    const whose = `the clocks of this machine and of ${new URL(url).hostname}`
    const level = skew < noticeable ? 'ok' : skew < harmful ? 'warn' : 'FAIL'
    if (level === 'ok') yield { level, what: `${whose} agree` }
    else yield { level, what: `${whose} are ${Math.round(skew)} seconds apart`, advice }
    return
  }
}

/** Returns how many seconds a server's clock differs, by the date of its response; undefined if it does not say. */
async function skewTo(url: string): Promise<number | undefined> {
  const before = systemMilliseconds()
  try {
    const signal = AbortSignal.timeout(5_000)
    const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal })
    const there = Date.parse(headers.get('date') ?? '')
    if (Number.isNaN(there)) return undefined
    return Math.abs(there - (before + systemMilliseconds()) / 2) / 1000
  } catch {
    return undefined
  }
}

const newestQuery = `
  SELECT coalesce(max(e.created_at) - extract(epoch FROM clock_timestamp()), 0)::float8 AS ahead
  FROM realm_head h JOIN event_log e ON e.realm_id = h.realm_id AND e.id = h.last_event_id`

/** Checks whether the database has a time in the future. */
export async function checkNewest(client: pg.Client): Promise<Finding[]> {
  const { ahead } = firstIn((await client.query<{ ahead: number }>(newestQuery)).rows)
  if (ahead < harmful) return []
  const what = `the newest change is dated ${Math.round(ahead / 60)} minutes in the future: a clock was ahead, or this one is behind`
  return [{ level: 'FAIL', what, advice }]
}
