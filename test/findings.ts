import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Finding } from '../src/cli/doctor/checks.ts'
import { atEndOfFile } from './runner/end-of-file.ts'

export async function collect(findings: AsyncGenerator<Finding>) {
  const collected: Finding[] = []
  for await (const finding of findings) collected.push(finding)
  return collected
}

/** Starts a web server that ends with the test file; returns its URL. */
export async function respondingServer(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
