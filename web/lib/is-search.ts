import type { Term } from './route.ts'

/** Whether a narrow is a search rather than a view of its own. */
export function isSearch(terms: Term[]): boolean {
  return terms.some(({ operator }) => /^(-|search|has|sender)/.test(operator))
}
