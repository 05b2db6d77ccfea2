import type pg from 'pg'
import { guard, ignore } from '../lib/guard.ts'
import type { Tracer } from '../lib/tracer.ts'

/** Makes a step of each statement that a pool runs. The statements have no values of users: those are parameters. */
export function traceQueries(pool: pg.Pool, tracer: Tracer) {
  traceCalls(pool, tracer)
  const trace = guard(ignore, (client: pg.PoolClient) => traceCalls(client, tracer))
  pool.on('connect', trace)
}

type Asked = string | { text?: string; name?: string } | undefined

/** Calls with a callback come from the pool, whose own step covers them. */
function traceCalls(target: pg.Pool | pg.PoolClient, tracer: Tracer) {
  const query = target.query.bind(target) as (...args: unknown[]) => unknown
  const traced = (...args: unknown[]) => {
    if (args.some((one) => typeof one === 'function')) return query(...args)
    const run = () => Promise.resolve(query(...args))
    return tracer.step('database', { 'db.system.name': 'postgresql', ...attributesOf(args[0] as Asked) }, run)
  }
  Object.assign(target, { query: traced })
}

function attributesOf(asked: Asked) {
  const text = typeof asked === 'string' ? asked : (asked?.text ?? '')
  return { 'db.query.text': text.replace(/\s+/g, ' ').trim().slice(0, 1_000) }
}
