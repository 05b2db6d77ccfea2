type Policy = { createHTML(html: string): string; createScriptURL(url: string): string }
type Policies = { createPolicy(name: string, rules: Policy): Policy }

/** The only address from which the page may start a script by itself. */
const worker = '/sw.js'

let first: Policy | undefined

/**
 * Returns a function that lets HTML be assigned to innerHTML under this Trusted Types policy. The page's content
 * security policy names the policies that may exist, so no other code can assign HTML.
 */
export function trustedHtml(policyName: string): (html: string) => string {
  const policies = (window as { trustedTypes?: Policies }).trustedTypes
  const policy = policies?.createPolicy(policyName, { createHTML: (html) => html, createScriptURL })
  first ??= policy
  return (html) => policy?.createHTML(html) ?? html
}

/** The address of the service worker, as Trusted Types demand it. */
export function trustedWorker(): string {
  return first?.createScriptURL(worker) ?? worker
}

function createScriptURL(url: string) {
  if (url !== worker) throw new TypeError('No script may be loaded from here.')
  return url
}
