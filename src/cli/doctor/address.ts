import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { Config } from '../../config/config.ts'
import { isObject } from '../../lib/is-object.ts'
import { zulipVersion } from '../../lib/version.ts'
import { checkCertificate } from './certificate.ts'
import type { Finding } from './checks.ts'

/** Checks whether the public address resolves, and leads to a server that can do its work. */
export async function* checkAddress(config: Config): AsyncGenerator<Finding> {
  const { publicUrl } = config
  const { hostname, protocol } = new URL(publicUrl)
  const name = hostname.replace(/^\[|\]$/g, '')
  const known = await lookup(name).catch(() => undefined)
  if (known) yield { level: 'ok', what: `the public address ${publicUrl} is known, as ${known.address}` }
  else {
    const advice = `Enter ${name} in the DNS, or set ROOKERY_URL to the name by which people reach the server.`
    yield { level: 'FAIL', what: `the public address ${publicUrl} is unknown`, advice }
  }
  const inside = listeningUrl(config)
  const [here, there] = await Promise.all([
    inside ? serverAt(inside) : ({} as Heard),
    known ? serverAt(publicUrl) : ({} as Heard),
  ])
  // A proxy does not pass /health/ on, so ask the server itself where that is possible.
  const asked = [isUnwell(here) ? inside : undefined, isUnwell(there) ? publicUrl : undefined]
  for (const url of asked) {
    const failed = url === undefined ? undefined : await failedChecks(url)
    if (failed && failed.length > 0) return yield notReady(failed)
  }
  if (known) yield judgeAddress(config, here, there)
  if (protocol === 'https:' && known && there.tls === undefined && there.reason === undefined) {
    yield await checkCertificate(publicUrl)
  }
  if (inside && isOurs(here)) yield* checkServer(inside, here)
  else if (isOurs(there)) yield* checkServer(publicUrl, there)
}

function judgeAddress(config: Config, here: Heard, there: Heard): Finding {
  const { publicUrl } = config
  const { tls, isStarting, realm } = there
  if (tls !== undefined) {
    const advice =
      'Mend the certificate at the proxy; for an authority of your own, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem.'
    return { level: 'FAIL', what: `${publicUrl} cannot be trusted: ${tls}`, advice }
  }
  if (isStarting) {
    return { level: 'warn', what: `the server at ${publicUrl} is starting`, advice: 'Ask again in a while.' }
  }
  if (realm === publicUrl) return { level: 'ok', what: `the server answers at ${realm}` }
  if (realm !== undefined) {
    const advice = 'Give this command and the server the same ROOKERY_URL.'
    return { level: 'FAIL', what: `the server at ${publicUrl} calls itself ${realm}`, advice }
  }
  if (there.isEmpty)
    return { level: 'ok', what: `the server answers at ${publicUrl}, where no organization is` }
  const because = there.reason === undefined ? '' : `: ${there.reason}`
  if (isOurs(here)) {
    const advice = 'See that the proxy, the firewall and the DNS lead to the server.'
    return {
      level: 'FAIL',
      what: `the server answers at ${listeningUrl(config)}, but not at ${publicUrl}${because}`,
      advice,
    }
  }
  if (here.reason === noAnswer) {
    const what = `the server does not answer at ${listeningUrl(config)}: ${noAnswer}`
    const advice = 'It hangs, or has too much to do. See its log, and start it again.'
    return { level: 'FAIL', what, advice }
  }
  const advice =
    'Start it with rookery serve; rookery check-config names faults in settings that have changed since.'
  return { level: 'warn', what: `no server answers at ${publicUrl}${because}`, advice }
}

/** Asks a running server whether it can do its work, and compares its version with that of this command. */
async function* checkServer(url: string, { version = zulipVersion }: Heard): AsyncGenerator<Finding> {
  const failed = await failedChecks(url)
  if (failed?.length === 0) yield { level: 'ok', what: 'the server is ready' }
  else if (failed) yield notReady(failed)
  if (version === zulipVersion) return
  const what = `the server is of version ${version}, and this command of ${zulipVersion}`
  yield {
    level: 'warn',
    what,
    advice: 'Start the server again, or use the command that was installed with it.',
  }
}

function notReady(failed: string[]): Finding {
  const what = `the server is not ready: ${failed.join(', ')} failed`
  return { level: 'FAIL', what, advice: 'The log of the server says why.' }
}

/** Returns the failed checks of a server; undefined if it does not say. */
async function failedChecks(url: string): Promise<string[] | undefined> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(8_000) })
    const said: unknown = await answer.json()
    const checks = isObject(said) ? said.checks : undefined
    if (!isObject(checks)) return undefined
    return Object.keys(checks).filter((name) => checks[name] !== 'ok')
  } catch {
    return undefined
  }
}

/** Returns the URL of a server with these settings on this machine; undefined if the system chooses its port. */
function listeningUrl({ host, port }: Config): string | undefined {
  if (port === 0) return undefined
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}

/**
 * The response at a URL: the address and version that a Rookery server reports there, or why there is none. `isEmpty`: no
 * organization of the server has this address.
 */
type Heard = {
  realm?: string
  version?: string
  tls?: string
  reason?: string
  isStarting?: boolean
  isEmpty?: boolean
}

const noAnswer = 'there was no answer in time'

/** Whether /health/ready of the server says more: it responds 503, or waits for its database. */
function isUnwell({ isStarting, reason }: Heard): boolean {
  return isStarting === true || reason === noAnswer
}

function isOurs({ realm, isEmpty }: Heard): boolean {
  return realm !== undefined || isEmpty === true
}

async function serverAt(url: string): Promise<Heard> {
  try {
    const answer = await fetch(`${url}/api/v1/server_settings`, { signal: AbortSignal.timeout(5_000) })
    return heardFrom(answer.status, await answer.text())
  } catch (error) {
    const { name, cause } = error as Error
    if (name === 'TimeoutError') return { reason: noAnswer }
    const { code = '', message = String(error) } = (cause ?? {}) as NodeJS.ErrnoException
    const isAboutTls = /CERT|SIGNATURE|ISSUER|ERR_SSL|ERR_TLS|EPROTO/.test(code)
    return isAboutTls ? { tls: message } : { reason: message || code }
  }
}

function heardFrom(status: number, text: string): Heard {
  try {
    const said: unknown = JSON.parse(text)
    if (!isObject(said)) return { reason: `the response has the status ${status}, and is not of Rookery` }
    if (status === 503 && said.code === 'SERVER_NOT_READY') return { isStarting: true }
    if (status === 404 && said.code === 'NONEXISTENT_SUBDOMAIN') return { isEmpty: true }
    if (typeof said.realm_url !== 'string') return { reason: `the response has the status ${status}` }
    return { realm: said.realm_url, version: String(said.zulip_version) }
  } catch {
    return { reason: `the response has the status ${status}, and is not of Rookery` }
  }
}
