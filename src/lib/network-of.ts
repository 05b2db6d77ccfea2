import { isIPv6 } from 'node:net'

/**
 * What counts as one place on the network, where something is limited by address: an IPv4 address, or the 64 bits of an
 * IPv6 one that a provider gives to one customer, who then has as many addresses as they like.
 */
export function networkOf(ip: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? []
  if (mapped !== undefined) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.replace(/%.*/, '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const between = Array<string>(tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)).fill(
    '0',
  )
  const network = [...before, ...between, ...after].slice(0, 4)
  return `${network.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/64`
}
