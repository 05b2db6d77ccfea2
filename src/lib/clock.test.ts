import { afterEach, expect, test, vi } from 'vitest'
import { secondsAhead, systemMilliseconds } from './clock.ts'

afterEach(() => void vi.useRealTimers())

test.each([
  [100, 0],
  [104, 0],
  [97, -3],
  [109, 5],
])('a clock that says %i at a moment between 100 and 104 is %i seconds ahead', (there, ahead) => {
  vi.useFakeTimers({ now: 100_000 })
  const before = systemMilliseconds()
  vi.advanceTimersByTime(4_000)
  expect(secondsAhead(there, before)).toBe(ahead)
})
