import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { httpLimits } from '../limits.ts'

/**
 * Lets a server listen, and returns the port. Clients that connect while it is busy wait in the kernel's queue, which must have room for
 * all that return after a restart: a client that finds it full tries again a second later, or is reset.
 */
export async function listen(app: FastifyInstance, place: { host: string; port: number }): Promise<number> {
  await app.listen({ ...place, backlog: httpLimits.waitingConnections })
  return (app.server.address() as AddressInfo).port
}
