/** The shapes of jsonb columns. */

/** The holders of a permission: the members of a group, or the users and groups listed. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] }

/** Message ids from (inclusive) to (exclusive); null: open. */
export type Interval = [from: number, to: number | null]

/** One change of a message: its author, its time, and the earlier values of what it changed. */
export type Edit = {
  user_id: number
  at: number
  content?: string
  rendered?: string
  topic?: [from: string, to: string]
  channel?: [from: number, to: number]
}

/** The settings of an organization. Features declare those that they own. */
// biome-ignore lint/suspicious/noEmptyInterface: features fill it
export interface StoredRealmSettings {}

/** The settings of a user. Features declare those that they own. */
// biome-ignore lint/suspicious/noEmptyInterface: features fill it
export interface StoredUserSettings {}
