/** The shapes of jsonb columns. */

/** Who holds a permission: the members of a group, or the people and groups listed. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] }

/** Message ids from (inclusive) to (exclusive); null: open. */
export type Interval = [from: number, to: number | null]

/** One change of a message: who made it, when, and how things were before; what a part is missing of, it left alone. */
export type Edit = {
  user_id: number
  at: number
  content?: string
  rendered?: string
  topic?: [from: string, to: string]
  channel?: [from: number, to: number]
}
