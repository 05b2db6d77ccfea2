import { expect, test } from 'vitest'
import { NatsServer } from '../../../test/programs/nats-server.ts'
import { readConfig } from '../../config/config.ts'
import type { Finding } from './checks.ts'
import { checkNats } from './nats.ts'

test('doctor tells which NATS servers are of use, and no password', async () => {
  const nats = await NatsServer.start({ user: { name: 'rook', password: 's3cret' } })
  const { port } = nats
  const right = nats.url.replace('//', '//rook:s3cret@')
  const findings = await examine(
    `${right},${right.replace('s3cret', 's3cret2')},nats://rook:s3cret@127.0.0.1:1`,
  )
  expect(findings).toMatchObject([
    { level: 'ok', what: `NATS at 127.0.0.1:${port} lets nodes wake each other` },
    { level: 'FAIL', what: `NATS at 127.0.0.1:${port}: the server says 'Authorization Violation'` },
    { level: 'FAIL', what: 'NATS at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1' },
  ])
  expect(JSON.stringify(findings)).not.toContain('s3cret')
  await nats.kill()
})

test('doctor says nothing of NATS where there is none', async () => {
  expect(await examine('')).toEqual([])
})

async function examine(NATS_URL: string) {
  const findings: Finding[] = []
  for await (const finding of checkNats(readConfig({ NATS_URL }))) findings.push(finding)
  return findings
}
