import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns the network of an address, which counts as one caller where something is limited by address: an IPv4 address, or the first 64 bits of
 * an IPv6 address. A provider gives such a prefix to one customer, who can choose any address in it.
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  // ipaddr.js does not know all names that interfaces have.
  const address = ipaddr.process(ip.replace(/%.*/, ''))
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
