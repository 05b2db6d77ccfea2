import type { RequestInfo } from '../../../../http/endpoint.ts'

/** Returns a readable name of the client of a request: `Firefox on Linux`, or the client's own name. */
export function browserName({ client, header }: Pick<RequestInfo, 'client' | 'header'>): string {
  const agent = header('user-agent') ?? ''
  if (!agent.startsWith('Mozilla/')) return client
  const browser = browsers.find(([sign]) => agent.includes(sign))?.[1] ?? 'A browser'
  const system = systems.find(([sign]) => agent.includes(sign))?.[1]
  return system ? `${browser} on ${system}` : browser
}

// Browsers also include the names of browsers that they imitate, so the order matters.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const
