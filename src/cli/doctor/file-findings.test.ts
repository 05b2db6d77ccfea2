import { expect, test, vi } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { readConfig } from '../../config/config.ts'
import { warnOfFiles } from './file-findings.ts'

test('a server that stops while it looks at uploads does not warn that they cannot be read', async () => {
  const config = readConfig({ ROOKERY_DATA: await newDirectory() })
  const warn = vi.fn()
  const read = { rows: () => Promise.reject(new Error('the connections are closed')) }
  const warned = async (stopping: AbortSignal) => {
    await warnOfFiles(config, read as never, { warn } as never, stopping)
    return warn.mock.calls.length
  }
  expect(await warned(AbortSignal.abort())).toBe(0)
  expect(await warned(new AbortController().signal)).toBe(1)
})
