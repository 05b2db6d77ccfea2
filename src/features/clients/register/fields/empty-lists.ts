import type { RegisterFields, Section } from '../section.ts'

/** Features that this server does not have. Their lists are always empty. By fetch event type. */
const empty: Record<string, RegisterFields> = {
  giphy: { giphy_api_key: '' },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  stop_words: { stop_words: [] },
}

export const emptySections: Section[] = [
  ...Object.entries(empty).map(([type, fields]): Section => ({ asked: [type], fields: () => fields })),
]
