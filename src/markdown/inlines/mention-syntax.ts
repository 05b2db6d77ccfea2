import { markdownLimits } from '../limits.ts'

/** Before a mention. */
export const opensMention = `(?<![^\\s'"([{/<])`

/**
 * `@**Full Name**`, `@**Full Name|id**`, and the wildcards `@**all**` and `@**topic**` with their kin; each also silent, as in
 * `@_**Full Name**`.
 */
export const userMention = new RegExp(`${opensMention}@(_?)\\*\\*([^*]{1,${markdownLimits.name}})\\*\\*`, 'g')

/** The wildcards that mention all subscribers of the channel. */
export const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])

/** The name of a mentioned user, and the id that may stand behind it. */
export function splitReference(reference: string): { name: string; id?: number } {
  const [, name, id] = /^(.*)\|(\d{1,15})$/s.exec(reference) ?? []
  return name === undefined ? { name: reference } : { name, id: Number(id) }
}
