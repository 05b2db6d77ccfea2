import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { type FirstOrganization, ownerFiles } from '../organizations/first-start.ts'
import { say } from '../output.ts'

/**
 * Prints the server's address, and where the owner's credentials are while they have no password. A terminal shows the
 * link itself; what may become a log does not.
 */
export async function greet(config: Config, address: string, { name, isNew }: FirstOrganization) {
  const { key, link: file } = ownerFiles(config)
  const link = await readFile(file, 'utf8').catch(() => undefined)
  const shown = process.stdout.isTTY && link ? link.trim() : `the link in ${file}`
  const once = 'The link works once, within an hour; each start makes a new one until it was used.'
  if (!isNew) {
    const waiting = link
      ? `\nThe owner has not chosen a password yet, which they do with ${shown}\n${once}`
      : ''
    say(`Rookery serves ${name} at ${address}, with the data of earlier starts.${waiting}`)
    return
  }
  say(`Rookery serves the new organization ${name}.

  address   ${address}
  email     ${config.ownerEmail}
  password  is chosen with ${shown}

${once}
Clients that use an API key find one in ${key}.`)
}
