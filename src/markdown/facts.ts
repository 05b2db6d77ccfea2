import { isImageAddress, uploadPath } from './address.ts'
import { alertedUsers } from './alert-words.ts'
import type { Context } from './context.ts'

/** What the rest of the server wants to know of a message without reading its HTML. No list has anything twice. */
export type Facts = {
  /** Silent mentions are not among them. */
  mentionedUserIds: number[]
  mentionedGroupIds: number[]
  wildcard: { channel: boolean; topic: boolean }
  /** Those who are named without being called. */
  silentlyMentionedUserIds: number[]
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** What follows `/user_uploads/` in links to the organization's own uploads, decoded. */
  uploadPaths: string[]
  /** The source begins with `/me `. */
  isMeMessage: boolean
  /** http and https addresses. */
  links: string[]
  /** Whose alert words are in the text, code blocks aside. */
  alertedUserIds: number[]
}

/** Facts of a message of which all has been rendered; `text` is the source without what stands between fences. */
export function factsOf(source: string, text: string, context: Context): Facts {
  const { lookup, addresses, mentions } = context
  const loud = mentions.filter((mention) => !mention.silent)
  const uploads = addresses
    .map((address) => uploadPath(address, lookup.realmUrl))
    .filter((path) => path !== undefined)
  const users = (those: typeof mentions) =>
    unique(those.flatMap((one) => (one.kind === 'user' ? one.id : [])))
  return {
    mentionedUserIds: users(loud),
    mentionedGroupIds: unique(loud.flatMap((one) => (one.kind === 'group' ? one.id : []))),
    wildcard: {
      channel: loud.some((one) => one.kind === 'channel'),
      topic: loud.some((one) => one.kind === 'topic'),
    },
    silentlyMentionedUserIds: users(mentions.filter((mention) => mention.silent)),
    hasLink: addresses.length > 0,
    hasImage: addresses.some(isImageAddress),
    hasAttachment: uploads.length > 0,
    uploadPaths: unique(uploads),
    isMeMessage: source.startsWith('/me '),
    links: unique(addresses.filter((address) => /^https?:/i.test(address))),
    alertedUserIds: alertedUsers(text, lookup.alertWords),
  }
}

function unique<T>(items: T[]): T[] {
  return [...new Set(items)]
}
