type Policies = {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string },
  ): { createHTML(html: string): string }
}

/**
 * Returns a function that lets HTML be assigned to innerHTML under this Trusted Types policy. The page's content
 * security policy names the policies that may exist, so no other code can assign HTML.
 */
export function trustedHtml(policyName: string): (html: string) => string {
  const policies = (window as { trustedTypes?: Policies }).trustedTypes
  const policy = policies?.createPolicy(policyName, { createHTML: (html) => html })
  return (html) => policy?.createHTML(html) ?? html
}
