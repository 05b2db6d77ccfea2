import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { systemMilliseconds } from '../../lib/clock.ts'
import { messageOf } from '../../lib/errors.ts'
import { guard } from '../../lib/guard.ts'
import type { Finding } from './checks.ts'

const [day, hour] = [86_400_000, 3_600_000]

/** How long before its end a certificate should have been renewed: 14 days, or a third of its time if that is shorter. */
function renewalOf({ from, to }: Validity): number {
  return Math.min(14 * day, (to - from) / 3)
}

/** In milliseconds since 1970. */
type Validity = { from: number; to: number }

/** Checks for how long the certificate at an https address is valid. `ca`: a further authority to trust. */
export async function checkCertificate(url: string, ca?: string): Promise<Finding> {
  const { hostname, port } = new URL(url)
  try {
    const validity = await validityOf(hostname.replace(/^\[|\]$/g, ''), Number(port) || 443, ca)
    const left = validity.to - systemMilliseconds()
    const time =
      left < 2 * day ? `${Math.floor(left / hour)} more hours` : `${Math.floor(left / day)} more days`
    const what = `the certificate of ${hostname} is valid for ${time}`
    if (left >= renewalOf(validity)) return { level: 'ok', what }
    return { level: 'warn', what, advice: 'See that the proxy renews it.' }
  } catch (error) {
    const what = `the certificate of ${hostname} cannot be looked at: ${messageOf(error)}`
    return { level: 'warn', what, advice: 'See that the proxy speaks TLS on that port.' }
  }
}

function validityOf(host: string, port: number, ca?: string): Promise<Validity> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({
      host,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
    })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    const late = guard(reject, () => fail(new Error('there was no answer in time')))
    const read = guard(fail, () => {
      const { valid_from, valid_to } = socket.getPeerCertificate()
      resolve({ from: Date.parse(valid_from), to: Date.parse(valid_to) })
      socket.end()
    })
    socket.setTimeout(5_000, late)
    socket.once('secureConnect', read).once('error', guard(reject, fail))
  })
}
