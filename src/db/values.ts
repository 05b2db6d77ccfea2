/** The shapes of jsonb columns. */

/** Who holds a permission: the members of a group, or the people and groups listed. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] }

/** Message ids from (inclusive) to (exclusive); null: open. */
export type Interval = [from: number, to: number | null]
