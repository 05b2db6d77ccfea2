import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address is one of the public internet: not of this machine, of the network it stands in, or of any
 * other purpose. IPv6 addresses that stand for IPv4 ones do not count as public.
 */
export function isPublicAddress(address: string): boolean {
  // What names an interface is reached on that interface; and ipaddr.js also reads `127.1` and `0x7f000001`.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  const isAssigned = parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
  return isAssigned && parsed.range() === 'unicast'
}

/** For ipaddr.js, what nobody has been given yet is unicast too. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')
