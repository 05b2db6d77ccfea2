import { BlockList, isIP } from 'node:net'

/**
 * Whether an IP address is one of the public internet: not of this machine, of the network it stands in, or of any
 * other purpose. IPv6 addresses that stand for IPv4 ones do not count as public.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !notPublic.check(address)
  if (version === 6) return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
  return false
}

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

const notPublic = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // behind a provider's address translation
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, and where clouds keep their secrets
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation, as the two below
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // measurements
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(network, bits)
}
for (const [network, bits] of [
  ['2001::', 23], // tunnels and other purposes
  ['2001:db8::', 32],
  ['2002::', 16], // stands for IPv4
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv6')
}
