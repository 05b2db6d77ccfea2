import { describe, expect, test } from 'vitest'
import { TokenBuckets } from './token-bucket.ts'

/** A burst of three requests, refilled over every 60 seconds. */
function buckets() {
  const clock = { ms: 0 }
  return { clock, buckets: new TokenBuckets(3, 60, () => clock.ms) }
}

describe('TokenBuckets', () => {
  test.each([
    { request: 1, allowed: true, remaining: 2, wait: 0, reset: 20 },
    { request: 2, allowed: true, remaining: 1, wait: 0, reset: 40 },
    { request: 3, allowed: true, remaining: 0, wait: 20, reset: 60 },
    { request: 4, allowed: false, remaining: 0, wait: 20, reset: 60 },
  ])('request $request in a burst', ({ request, ...expected }) => {
    const { buckets: callers } = buckets()
    for (let before = 1; before < request; before++) callers.take('ann')
    expect(callers.take('ann')).toEqual({ limit: 3, ...expected })
  })

  test('a caller whose budget is spent waits as long as it was told', () => {
    const { buckets: callers, clock } = buckets()
    for (let i = 0; i < 3; i++) callers.take('ann')
    const { wait } = callers.take('ann')
    clock.ms += wait * 1000 - 1
    expect(callers.take('ann').allowed).toBe(false)
    clock.ms += 2
    expect(callers.take('ann').allowed).toBe(true)
  })

  test('the budget never grows beyond its limit', () => {
    const { buckets: callers, clock } = buckets()
    callers.take('ann')
    clock.ms += 3_600_000
    expect(callers.take('ann').remaining).toBe(2)
  })

  test('callers do not use up each other’s budget', () => {
    const { buckets: callers } = buckets()
    for (let i = 0; i < 9; i++) callers.take('ann')
    expect(callers.take('bob').allowed).toBe(true)
  })
})
