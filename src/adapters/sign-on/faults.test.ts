import { get } from 'node:https'
import { expect, test } from 'vitest'
import { expiredServer } from '../../../test/programs/expired-server.ts'
import { connectionFault } from './faults.ts'

function failure(url: string, ca?: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get(url, ca === undefined ? {} : { ca }, () => reject(new Error('it works'))).on('error', resolve)
  })
}

test('the fault of a certificate is named', async () => {
  const server = await expiredServer()
  const expired = connectionFault('sign-on service', await failure(server.url, server.certificate))
  expect(expired?.message).toBe('The sign-on service shows a certificate that has expired.')
  await server.close()
})

test('a service that is not there cannot be reached; other errors are not about reaching it', async () => {
  const server = await expiredServer()
  await server.close()
  const gone = connectionFault('sign-on service', await failure(server.url))
  expect(gone?.message).toBe('The sign-on service cannot be reached.')
  expect(connectionFault('sign-on service', new Error('nonce mismatch'))).toBeUndefined()
})
