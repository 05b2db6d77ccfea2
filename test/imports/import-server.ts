import { newDirectory, type Server, startServer } from '../command-line.ts'
import { type Person, personWith } from '../person.ts'
import { newDatabase } from '../runner/database.ts'
import { atEndOfFile } from '../runner/end-of-file.ts'

type ImportServer = {
  server: Server
  /** Returns a person of an organization that a command has made there. */
  memberOf(realm: string, email: string): Promise<Person>
}

/** Starts a server with a database of its own, into which a command imports an organization. */
export async function startImportServer(environment: NodeJS.ProcessEnv = {}): Promise<ImportServer> {
  const database = await newDatabase()
  atEndOfFile(() => database.drop())
  const there = { DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory(), ...environment }
  const server = await startServer(there)
  const memberOf = async (realm: string, email: string) => {
    const { stdout } = await server.rookery(`key create ${email} --realm ${realm} --json`)
    const place = { port: server.port, host: `${realm}.localhost:${server.port}` }
    return personWith(place, email, JSON.parse(stdout).key)
  }
  return { server, memberOf }
}
