import tlds from 'tlds' with { type: 'json' }

const endsOfFileNames = ['java', 'md', 'mov', 'py', 'zip']

/** Top-level domains by IANA, without those that in chat are ends of file names. */
export const topLevelDomains: ReadonlySet<string> = new Set(
  tlds.filter((name) => !endsOfFileNames.includes(name)),
)
