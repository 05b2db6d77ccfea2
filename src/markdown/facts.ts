import { isImageAddress, uploadPath } from './address.ts'
import { alertedUsers } from './alert-words.ts'
import type { Context } from './context.ts'

/** The facts about a message that the rest of the server needs without reading its HTML. No list has duplicates. */
export type Facts = {
  /** Silent mentions are not among them. */
  mentionedUserIds: number[]
  mentionedGroupIds: number[]
  wildcard: { channel: boolean; topic: boolean }
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** The paths after `/user_uploads/` in links to the organization's own uploads, decoded. */
  uploadPaths: string[]
  /** The addresses of the pages of which it shows previews, as soon as these are known. */
  pages: string[]
  /** The source begins with `/me `. */
  isMeMessage: boolean
  /** The users whose alert words are in the text, code blocks aside. */
  alertedUserIds: number[]
}

/** Facts of a message of which all has been rendered; `text` is the source without what stands between fences. */
export function factsOf(source: string, text: string, pages: string[], context: Context): Facts {
  const { lookup, addresses, mentions } = context
  const loud = mentions.filter((mention) => !mention.silent)
  const uploads = addresses
    .map((address) => uploadPath(address, lookup.realmUrl))
    .filter((path) => path !== undefined)
  return {
    mentionedUserIds: unique(loud.flatMap((one) => (one.kind === 'user' ? one.id : []))),
    mentionedGroupIds: unique(loud.flatMap((one) => (one.kind === 'group' ? one.id : []))),
    wildcard: {
      channel: loud.some((one) => one.kind === 'channel'),
      topic: loud.some((one) => one.kind === 'topic'),
    },
    hasLink: addresses.length > 0,
    hasImage: addresses.some(isImageAddress),
    hasAttachment: uploads.length > 0,
    uploadPaths: unique(uploads),
    pages,
    isMeMessage: source.startsWith('/me '),
    alertedUserIds: alertedUsers(text, lookup.alertWords),
  }
}

function unique<T>(items: T[]): T[] {
  return [...new Set(items)]
}
