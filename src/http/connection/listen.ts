import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { httpLimits } from '../limits.ts'

/**
 * Lets a server listen; returns the port. Clients that connect while it is busy wait in the kernel: after a restart, all come back in one
 * moment, and one for which there is no room tries again a second later, or is reset.
 */
export async function listen(app: FastifyInstance, place: { host: string; port: number }): Promise<number> {
  await app.listen({ ...place, backlog: httpLimits.waitingConnections })
  return (app.server.address() as AddressInfo).port
}
