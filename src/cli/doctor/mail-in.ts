import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Config } from '../../config/config.ts'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { ignore } from '../../lib/guard.ts'
import { isLocalHost } from '../../lib/network/is-local-host.ts'
import type { Finding } from './checks.ts'

/** How long the server and the DNS may take to respond, in milliseconds. */
const patience = 5_000

/** Checks whether mail comes in, if the settings name a domain for it. */
export async function* checkMailIn(config: Config): AsyncGenerator<Finding> {
  const { mailInDomain, mailInHost, mailInPort } = config
  if (mailInDomain === undefined) return
  yield await checkListener(mailInHost, mailInPort)
  if (!isLocalHost(mailInHost)) {
    const what = `all who reach ${mailInHost} port ${mailInPort} can hand mails over, without TLS`
    yield {
      level: 'warn',
      what,
      advice: 'Set ROOKERY_MAIL_IN_HOST=127.0.0.1, or let only the mail server reach that port.',
    }
  }
  const isFound = await isInDns(mailInDomain)
  if (isFound === undefined) return
  yield isFound
    ? { level: 'ok', what: `other mail servers find ${mailInDomain} in the DNS` }
    : {
        level: 'warn',
        what: `other mail servers do not find ${mailInDomain} in the DNS`,
        advice: 'Add an MX record that names your mail server.',
      }
}

async function checkListener(host: string, port: number): Promise<Finding> {
  const place = `${host} port ${port}`
  const socket = connect({ host: { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host, port })
  socket.on('error', ignore)
  try {
    const [greeting] = await once(socket, 'data', { signal: AbortSignal.timeout(patience) })
    if (/^220 .* ESMTP Rookery\r\n/.test(String(greeting)))
      return { level: 'ok', what: `${place} takes mail` }
    const advice = 'Set ROOKERY_MAIL_IN_PORT to a free port, and let the mail server hand mail over there.'
    return { level: 'FAIL', what: `another program listens on ${place}`, advice }
  } catch (error) {
    const advice = 'Start the server; if it runs, see its log.'
    return { level: 'warn', what: `nothing takes mail on ${place}: ${messageOf(error)}`, advice }
  } finally {
    socket.destroy()
  }
}

/** Returns whether the domain has a mail server, or an address that counts as one; undefined if the DNS does not say. */
async function isInDns(domain: string): Promise<boolean | undefined> {
  const resolver = new Resolver({ timeout: patience, tries: 1 })
  const looks = [resolver.resolveMx(domain), resolver.resolve4(domain), resolver.resolve6(domain)]
  const results = await Promise.allSettled(looks)
  if (results.some(({ status }) => status === 'fulfilled')) return true
  const isCertain = results.every(
    (result) =>
      result.status === 'rejected' && ['ENOTFOUND', 'ENODATA'].includes(codeOf(result.reason) ?? ''),
  )
  return isCertain ? false : undefined
}
