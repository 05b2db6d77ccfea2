import { createHash } from 'node:crypto'
import { median } from './measure.ts'

/**
 * Milliseconds that the bare work below takes on the machine for which the budgets were set, when nothing else runs. The
 * machines that we have differ by a factor of two, and from day to day.
 */
const referenceMs = 20

const rounds = 15

/**
 * How fast this machine is at this moment, as a ratio to the one that the budgets were set for: 0.5 is half as fast. The
 * work is that of a server without being one: objects to JSON and back, text, hashes.
 */
export function machineSpeed(): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now()
    bareWork()
    return performance.now() - start
  })
  return referenceMs / median(times)
}

const users = Array.from({ length: 200 }, (_, id) => ({
  user_id: id,
  full_name: `User number ${id}`,
  email: `user${id}@example.com`,
  is_active: id % 7 !== 0,
  profile: { city: 'Bergen', languages: ['nb', 'en'] },
}))

export function bareWork() {
  for (let i = 0; i < 20; i++) {
    const text = JSON.stringify(users)
    const read = JSON.parse(text) as typeof users
    const byName = new Map(read.map((user) => [user.full_name.toLowerCase(), user]))
    createHash('sha256').update(text).update(String(byName.size)).digest()
  }
}
