import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address belongs to the public internet: not to this machine, its network, or any other purpose. IPv6
 * addresses that embed IPv4 addresses do not count as public.
 */
export function isPublicAddress(address: string): boolean {
  // An address with a zone is reached on that interface; and ipaddr.js also reads `127.1` and `0x7f000001`.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  const isAssigned = parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
  return isAssigned && parsed.range() === 'unicast'
}

/** ipaddr.js counts unassigned ranges as unicast too. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')
