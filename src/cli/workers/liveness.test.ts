import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cliLimits } from '../limits.ts'
import { watchLiveness } from './liveness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const { workerQuestionSeconds, workerSilences, workerLoadingSilences } = cliLimits

/** A watched process that answers while `answers`, and counts how often it was ended. */
function watched(isLoading = false) {
  const process = { answers: true, questions: 0, ends: 0, stop: () => {} }
  process.stop = watchLiveness({
    ask() {
      process.questions++
      return process.answers ? Promise.resolve() : new Promise(() => {})
    },
    isLoading: () => isLoading,
    end: () => void process.ends++,
  })
  return process
}

/** Lets this number of questions become due. */
const pass = (questions: number) => vi.advanceTimersByTimeAsync(questions * workerQuestionSeconds * 1000)

test('a process that answers lives on, and is asked again and again', async () => {
  const process = watched()
  await pass(100)
  expect(process).toMatchObject({ questions: 100, ends: 0 })
})

test('a process that is silent for long enough is ended; one question waits for its answer at a time', async () => {
  const process = watched()
  await pass(3)
  process.answers = false
  await pass(workerSilences)
  expect(process).toMatchObject({ questions: 4, ends: 0 })
  await pass(1)
  expect(process).toMatchObject({ questions: 4, ends: 1 })
})

test('a process that loads its code has longer', async () => {
  const process = watched(true)
  process.answers = false
  await pass(workerLoadingSilences)
  expect(process.ends).toBe(0)
  await pass(1)
  expect(process.ends).toBe(1)
})

test('a process that has ended is watched no longer', async () => {
  const process = watched()
  process.answers = false
  await pass(1)
  process.stop()
  await pass(100)
  expect(process).toMatchObject({ questions: 1, ends: 0 })
})
