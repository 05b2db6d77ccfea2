import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { systemMilliseconds } from '../lib/clock.ts'
import { messageOf } from '../lib/errors.ts'
import { guard } from '../lib/guard.ts'
import type { Finding } from './doctor-checks.ts'

/** Days before its end in which a certificate should have been renewed. */
const soon = 14

/** Checks for how long the certificate at an https address is valid. `ca`: an authority to trust besides. */
export async function checkCertificate(url: string, ca?: string): Promise<Finding> {
  const { hostname, port } = new URL(url)
  try {
    const end = await endOfCertificate(hostname.replace(/^\[|\]$/g, ''), Number(port) || 443, ca)
    const days = Math.floor((end - systemMilliseconds()) / 86_400_000)
    const what = `the certificate of ${hostname} is valid for ${days} more days`
    if (days >= soon) return { level: 'ok', what }
    return { level: 'warn', what, advice: 'See that the proxy renews it.' }
  } catch (error) {
    const what = `the certificate of ${hostname} cannot be looked at: ${messageOf(error)}`
    return { level: 'warn', what, advice: 'See that the proxy speaks TLS on that port.' }
  }
}

/** In milliseconds since 1970. */
function endOfCertificate(host: string, port: number, ca?: string): Promise<number> {
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
      resolve(Date.parse(socket.getPeerCertificate().valid_to))
      socket.end()
    })
    socket.setTimeout(5_000, late)
    socket.once('secureConnect', read).once('error', guard(reject, fail))
  })
}
