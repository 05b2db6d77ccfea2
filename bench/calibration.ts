import { createHash } from 'node:crypto'
import { median } from './measure.ts'

/** Milliseconds of the processor, so that time in which the machine did other things does not count. */
export function processorMs(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** What the bare work takes at this moment: the bare figure of what is processor time alone. */
export function bareWorkMs(): number {
  return processorMs(bareWork)
}

/** Milliseconds that the bare work takes on the machine for which the budgets of the web client were set. */
const referenceMs = 20

let speed: number | undefined

/** How fast this machine was when that was first asked, as a ratio to that one: 0.5 is half as fast. */
export function machineSpeed(): number {
  speed ??= referenceMs / median(Array.from({ length: 15 }, bareWorkMs))
  return speed
}

const users = Array.from({ length: 200 }, (_, id) => ({
  user_id: id,
  full_name: `User number ${id}`,
  email: `user${id}@example.com`,
  is_active: id % 7 !== 0,
  profile: { city: 'Bergen', languages: ['nb', 'en'] },
}))

/** The work of a server without being one: objects to JSON and back, text, hashes. */
export function bareWork() {
  for (let i = 0; i < 20; i++) {
    const text = JSON.stringify(users)
    const read = JSON.parse(text) as typeof users
    const byName = new Map(read.map((user) => [user.full_name.toLowerCase(), user]))
    createHash('sha256').update(text).update(String(byName.size)).digest()
  }
}

/** Measures slices of work (in microseconds) in turn with the bare work (in milliseconds), for this many seconds. */
export function besideBareWork(slice: () => number, seconds: number): { micros: number[]; bare: number[] } {
  slice()
  bareWorkMs()
  const [micros, bare]: [number[], number[]] = [[], []]
  const start = performance.now()
  while (performance.now() - start < seconds * 1000) {
    micros.push(slice())
    bare.push(bareWorkMs())
  }
  return { micros, bare }
}
