import type { Token } from 'markdown-it'
import { addressOf, isImageAddress, uploadPath } from './link.ts'
import type { Lookup } from './lookup.ts'
import { mentionOf } from './mention.ts'

/** What the rest of the server wants to know of a message without reading its HTML. No list has anything twice. */
export type Facts = {
  /** In order of appearance; silent mentions are not among them. */
  mentionedUserIds: number[]
  mentionedGroupIds: number[]
  wildcard: { channel: boolean; topic: boolean }
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** What follows `/user_uploads/` in links to the organization's own uploads, decoded. */
  uploadPaths: string[]
  /** The source begins with `/me `. */
  isMeMessage: boolean
  /** http and https addresses, in order of appearance. */
  links: string[]
}

/** Reads the facts off the parsed message. */
export function gatherFacts(source: string, tokens: Token[], lookup: Lookup): Facts {
  const inline = tokens.flatMap((block) => block.children ?? [])
  const mentions = inline.filter((token) => token.type === 'mention').map(mentionOf)
  const loud = mentions.filter((mention) => !mention.silent)
  const addresses = inline.filter((token) => token.type === 'link_open').map(addressOf)
  const uploadPaths = addresses
    .map((address) => uploadPath(address, lookup.realmUrl))
    .filter((path) => path !== undefined)
  return {
    mentionedUserIds: unique(loud.flatMap((mention) => (mention.kind === 'user' ? mention.id : []))),
    mentionedGroupIds: unique(loud.flatMap((mention) => (mention.kind === 'group' ? mention.id : []))),
    wildcard: {
      channel: loud.some((mention) => mention.kind === 'channel'),
      topic: loud.some((mention) => mention.kind === 'topic'),
    },
    hasLink: addresses.length > 0,
    hasImage: addresses.some(isImageAddress),
    hasAttachment: uploadPaths.length > 0,
    uploadPaths: unique(uploadPaths),
    isMeMessage: source.startsWith('/me '),
    links: unique(addresses.filter((address) => /^https?:/i.test(address))),
  }
}

function unique<T>(items: T[]): T[] {
  return [...new Set(items)]
}
