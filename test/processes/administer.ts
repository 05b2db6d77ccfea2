import { beforeAll, expect } from 'vitest'
import { newDirectory, runHere } from '../command-line.ts'
import type { Organization } from '../organization.ts'
import type { TestServer } from '../test-server.ts'

type Output = { status: number; stdout: string; stderr: string }

/** Runs commands in organizations of a test server, as on the machine beside it. Call it outside of the tests. */
export function administer(server: TestServer) {
  let directory = ''
  beforeAll(async () => {
    directory = await newDirectory()
  })
  const rookery = (org: Organization, ...words: string[]): Promise<Output> => {
    const environment = { DATABASE_URL: server.databaseUrl, ROOKERY_DATA: directory }
    return runHere([...words, '--realm', org.state.row.subdomain], environment)
  }
  return {
    /** The data directory, a new one. */
    directory: () => directory,
    rookery,
    /** Returns what a command that succeeds prints for programs. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look at single fields of what commands print
    async json(org: Organization, ...words: string[]): Promise<any> {
      const { status, stdout, stderr } = await rookery(org, ...words, '--json')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return JSON.parse(stdout)
    },
  }
}
