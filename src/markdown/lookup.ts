/** Someone or something that a message may name. `name` is what readers see. */
export type Named = { id: number; name: string }

/**
 * What the renderer may ask of the organization. The caller decides what is found: whether letter case counts,
 * which of two namesakes is meant, and that a system group answers to `role:members` but is named `Members`.
 */
export type Lookup = {
  userByName(name: string): Named | undefined
  userById(id: number): Named | undefined
  channelByName(name: string): Named | undefined
  groupByName(name: string): Named | undefined
  /** The organization's address without a slash at the end. Links that begin with it are the organization's own. */
  realmUrl?: string
}

/** For texts that name nobody. */
export const emptyLookup: Lookup = {
  userByName: () => undefined,
  userById: () => undefined,
  channelByName: () => undefined,
  groupByName: () => undefined,
}
