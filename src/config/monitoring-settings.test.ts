import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('there are no metrics until a token or a port is set', () => {
  expect(readConfig({})).toMatchObject({ metricsToken: undefined, metricsPort: undefined })
  const token = 'sixteen-letters!'
  expect(readConfig({ ROOKERY_METRICS_TOKEN: token })).toMatchObject({ metricsToken: token })
  expect(readConfig({ ROOKERY_METRICS_PORT: '9464' })).toMatchObject({
    metricsPort: 9464,
    metricsHost: '127.0.0.1',
  })
})

test('a token that can be guessed is refused, and not repeated', () => {
  expect(() => readConfig({ ROOKERY_METRICS_TOKEN: 'hunter2' })).toThrow(
    'ROOKERY_METRICS_TOKEN must be a text of 16 characters or more without spaces.',
  )
})
