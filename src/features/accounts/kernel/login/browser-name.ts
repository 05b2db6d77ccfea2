import type { RequestInfo } from '../../../../http/endpoint.ts'

/** What a person would call the client of a request: `Firefox on Linux`, or its name as it gives it. */
export function browserName({ client, header }: Pick<RequestInfo, 'client' | 'header'>): string {
  const agent = header('user-agent') ?? ''
  if (!agent.startsWith('Mozilla/')) return client
  const browser = browsers.find(([sign]) => agent.includes(sign))?.[1] ?? 'A browser'
  const system = systems.find(([sign]) => agent.includes(sign))?.[1]
  return system ? `${browser} on ${system}` : browser
}

// Browsers also name those that they want to be taken for, so the order counts.
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
