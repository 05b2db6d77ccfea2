import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { Config } from '../config/config.ts'
import type { Finding } from './doctor-checks.ts'

/** Checks whether the public address resolves, and leads to the server. */
export async function* checkAddress(config: Config): AsyncGenerator<Finding> {
  const { hostname } = new URL(config.publicUrl)
  const name = hostname.replace(/^\[|\]$/g, '')
  try {
    const { address } = await lookup(name)
    yield { level: 'ok', what: `the public address ${config.publicUrl} is known, as ${address}` }
  } catch {
    const advice = `Enter ${name} in the DNS, or set ROOKERY_URL to the name by which people reach the server.`
    yield { level: 'FAIL', what: `the public address ${config.publicUrl} is unknown`, advice }
    return
  }
  yield await checkAnswer(config)
}

async function checkAnswer(config: Config): Promise<Finding> {
  const inside = listeningUrl(config)
  const nothing: Heard = {}
  const [{ realm: here }, { realm: there, tls, isStarting }] = await Promise.all([
    inside ? realmAt(inside) : nothing,
    realmAt(config.publicUrl),
  ])
  if (tls !== undefined) {
    const advice =
      'Mend the certificate at the proxy; for an authority of your own, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem.'
    return { level: 'FAIL', what: `${config.publicUrl} cannot be trusted: ${tls}`, advice }
  }
  if (isStarting) {
    return {
      level: 'warn',
      what: `the server at ${config.publicUrl} is starting`,
      advice: 'Ask again in a while.',
    }
  }
  if (there === config.publicUrl) return { level: 'ok', what: `the server answers at ${there}` }
  if (there) {
    const advice = 'Give this command and the server the same ROOKERY_URL.'
    return { level: 'FAIL', what: `the server at ${config.publicUrl} calls itself ${there}`, advice }
  }
  if (here) {
    const advice = 'See that the proxy, the firewall and the DNS lead to the server.'
    return { level: 'FAIL', what: `the server answers at ${inside}, but not at ${config.publicUrl}`, advice }
  }
  return {
    level: 'warn',
    what: `no server answers at ${config.publicUrl}`,
    advice: 'Start it with rookery serve.',
  }
}

/** Where a server with these settings is found from this machine; undefined if its port is left to chance. */
function listeningUrl({ host, port }: Config): string | undefined {
  if (port === 0) return undefined
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}

/** The response at a URL: the address that a Rookery server reports there, or why there is none. */
type Heard = { realm?: string | undefined; tls?: string; isStarting?: boolean }

async function realmAt(url: string): Promise<Heard> {
  try {
    const answer = await fetch(`${url}/api/v1/server_settings`, { signal: AbortSignal.timeout(5_000) })
    const said = (await answer.json()) as { realm_url?: string; code?: string }
    return { realm: said.realm_url, isStarting: answer.status === 503 && said.code === 'SERVER_NOT_READY' }
  } catch (error) {
    const { code = '', message } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    return /CERT|SIGNATURE|ISSUER|ERR_SSL|ERR_TLS|EPROTO/.test(code) ? { tls: message } : {}
  }
}
