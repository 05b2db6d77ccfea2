/** Compares two names for lists as people expect them: by the rules of their language, and "release 2" before "release 10". */
export const { compare: inOrder } = new Intl.Collator(undefined, { numeric: true })
