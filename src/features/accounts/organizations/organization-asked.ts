import { isSubdomain, type Site } from '../../../lib/site.ts'

/**
 * Returns the name of the organization that a user has typed: the name itself, its host or its address. Undefined if that
 * is not on this server.
 */
export function organizationAsked({ publicUrl: { hostname } }: Site, typed: string): string | undefined {
  const text = typed.trim().toLowerCase()
  if (text !== hostname && isSubdomain(text)) return text
  const address = /^https?:/.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return undefined
  const asked = new URL(address).hostname
  if (asked === hostname) return ''
  const name = asked.endsWith(`.${hostname}`) ? asked.slice(0, -hostname.length - 1) : ''
  return isSubdomain(name) ? name : undefined
}
