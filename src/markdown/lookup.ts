/** An object that a message may name. `name` is the text that readers see. */
export type Named = { id: number; name: string }

/** A user or a group. Deactivated ones can only be mentioned silently. */
export type Mentionable = Named & { isDeactivated?: boolean }

/** A pattern in RE2's syntax with named groups, and an RFC 6570 template that makes an address of them. */
export type Linkifier = { pattern: string; url_template: string }

/** An uploaded picture, as far as it is known. Without `thumbnail` it is still to be made. */
export type Picture = {
  contentType: string
  width: number
  height: number
  animated?: boolean
  /** The address of the thumbnail, from the root of the server. */
  thumbnail?: string
}

/** The preview of a page that a message links to. Its parts are plain text; `picture` is an absolute address. */
export type LinkPreview = { title: string; description: string; picture?: string | undefined }

/**
 * The organization's data for the renderer. The caller decides how names match: whether letter case counts, which of
 * two namesakes is meant, and that a system group is mentioned as `role:members` but is named `Members`. Where a caller
 * omits a function, messages lack that feature.
 */
export type Lookup = {
  userByName(name: string): Mentionable | undefined
  userById(id: number): Mentionable | undefined
  /** The user whom a text calls by a name and an id that do not belong together any more. */
  formerUser?(name: string, id: number): Mentionable | undefined
  /** Only channels that the writer may know of. */
  channelByName(name: string): Named | undefined
  groupByName(name: string): Mentionable | undefined
  /** The organization's address without a slash at the end. Links that begin with it are the organization's own. */
  realmUrl?: string
  /** The newest message of a topic, if the writer may see one. Links to the topic then survive renaming. */
  newestInTopic?(channelId: number, topic: string): number | undefined
  /** How the empty topic is shown; `general chat` unless said otherwise. */
  emptyTopicName?: string
  /** In the order in which they are tried. Patterns that do not compile match nothing. */
  linkifiers?: readonly Linkifier[]
  /** The address of the picture of an active custom emoji. */
  customEmoji?(name: string): string | undefined
  /** The address of the picture of `:zulip:`, which all organizations have. */
  extraEmoji?: string
  /** Whether `:)` becomes an emoji; a setting of the writer. */
  translateEmoticons?: boolean
  /** The language of code blocks that name none; a setting of the organization. */
  defaultCodeLanguage?: string
  /** Whether pictures and videos that are linked to are shown below; on unless said otherwise. */
  inlineImagePreview?: boolean
  /** A picture among the uploads, by what follows `/user_uploads/` in its address. */
  picture?(path: string): Picture | undefined
  /**
   * The address under which this server proxies a picture of another server, so that other servers do not see readers.
   * Without it there are no previews of external pictures.
   */
  externalContent?(address: string): string
  /**
   * Returns the preview of a page: null if there is nothing to show, and undefined if nobody has looked yet. Without this
   * function, messages have no previews of pages.
   */
  linkPreview?(address: string): LinkPreview | null | undefined
  /** The alert words by user. */
  alertWords?: ReadonlyMap<number, readonly string[]>
}

/** For texts that mention no user. */
export const emptyLookup: Lookup = {
  userByName: () => undefined,
  userById: () => undefined,
  channelByName: () => undefined,
  groupByName: () => undefined,
}
