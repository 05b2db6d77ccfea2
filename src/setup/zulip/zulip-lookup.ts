import type { AccountRow } from '../../db/schema.ts'
import { customEmojiAddress } from '../../features/kernel/emoji/custom-emoji.ts'
import { markdownLookup } from '../../features/kernel/messages/markdown-lookup.ts'
import { isCommonEmoji } from '../../features/organization/emoji/find-emoji.ts'
import { isObject } from '../../lib/is-object.ts'
import { jsonIn } from '../../lib/json.ts'
import { lower } from '../../lib/text/lower.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { Lookup, Mentionable } from '../../markdown/render.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipRow } from './zulip-tables.ts'
import type { ZulipUploads } from './zulip-uploads.ts'

type Entry = ZulipRow<'zerver_realmauditlog'>

/** In the audit log: a person, a channel or a group gets another name. As numbers, and as a word of old versions. */
const personRenamed: ReadonlySet<unknown> = new Set([124, 'user_full_name_changed'])
const channelRenamed: ReadonlySet<unknown> = new Set([603])
const groupRenamed: ReadonlySet<unknown> = new Set([720])

/**
 * Resolves what messages of an export mention and show, as it was when they were sent: also by names that have changed since, people who
 * have left, and emoji that are withdrawn.
 */
export class ZulipLookup {
  private readonly state: RealmState
  private readonly url: string
  private readonly uploads: ZulipUploads
  /** By former names in lower case, as far as each was the name of one alone. */
  private readonly people: ReadonlyMap<string, number | null>
  private readonly channels: ReadonlyMap<string, number | null>
  private readonly groups: ReadonlyMap<string, number | null>
  /** Pairs of the id and a former name of a person. */
  private readonly renamed: ReadonlySet<string>
  /** The pictures of emoji that are withdrawn, by name. */
  private readonly formerEmoji = new Map<string, string>()

  constructor(state: RealmState, source: ZulipExport, url: string, uploads: ZulipUploads) {
    this.state = state
    this.url = url
    this.uploads = uploads
    const entries = source.rows('zerver_realmauditlog')
    this.people = formerNames(entries, personRenamed, ({ modified_user }) => modified_user)
    this.renamed = new Set(
      entries
        .filter(({ event_type }) => personRenamed.has(event_type))
        .map(({ modified_user, extra_data }) => `${modified_user} ${lower(formerName(extra_data) ?? '')}`),
    )
    this.channels = formerNames(entries, channelRenamed, ({ modified_stream }) => modified_stream)
    this.groups = formerNames(entries, groupRenamed, ({ modified_user_group }) => modified_user_group)
    for (const emoji of state.customEmoji.values()) {
      // An emoji that everyone has shows again once an own one of its name is withdrawn.
      if (emoji.is_deactivated && !isCommonEmoji(emoji.name))
        this.formerEmoji.set(emoji.name, customEmojiAddress(emoji))
    }
  }

  /** Returns the lookup for what a user has written. */
  of(writer: AccountRow): Lookup {
    const known = markdownLookup(this.state, this.url, writer)
    const userByName = (name: string) => asActive(known.userByName(name) ?? this.formerUser(known, name))
    return {
      ...known,
      picture: (path) => this.uploads.picture(path),
      customEmoji: (name) => known.customEmoji?.(name) ?? this.formerEmoji.get(name),
      userById: (id) => asActive(known.userById(id)),
      userByName,
      // An organization that has moved before has ids of another server in its texts.
      formerUser: (name, id) =>
        this.renamed.has(`${id} ${lower(name)}`) ? asActive(known.userById(id)) : userByName(name),
      groupByName: (name) => asActive(known.groupByName(name) ?? this.formerGroup(known, name)),
      channelByName: (name) => known.channelByName(name) ?? this.formerChannel(known, name),
    }
  }

  private formerUser(known: Lookup, name: string) {
    const key = name.toLowerCase()
    const id = this.people.get(key)
    return id && [...this.state.usersByFullName(key)].length === 0 ? known.userById(id) : undefined
  }

  private formerGroup(known: Lookup, name: string) {
    const group = this.state.groups.get(this.groups.get(lower(name)) ?? 0)
    return group && known.groupByName(group.name)
  }

  private formerChannel(known: Lookup, name: string) {
    const key = lower(name)
    const channel = this.state.channels.get(this.channels.get(key) ?? 0)
    return channel && !this.state.channelByName(key) ? known.channelByName(channel.name) : undefined
  }
}

/** Shows a user as active: users who have left were mentioned like all others. */
function asActive(found: Mentionable | undefined): Mentionable | undefined {
  return found && { ...found, isDeactivated: false }
}

/** Returns whose each former name was; null if it was that of several. */
function formerNames(
  entries: readonly Entry[],
  types: ReadonlySet<unknown>,
  idOf: (entry: Entry) => number | null,
): Map<string, number | null> {
  const names = new Map<string, number | null>()
  for (const entry of entries.filter(({ event_type }) => types.has(event_type))) {
    const [id, name] = [idOf(entry), formerName(entry.extra_data)]
    if (id === null || !name) continue
    const known = names.get(lower(name))
    names.set(lower(name), known === undefined || known === id ? id : null)
  }
  return names
}

/** The former value is under "1"; in old versions, it was all that there was. */
function formerName(data: unknown): string | undefined {
  const held = typeof data === 'string' && data.startsWith('{') ? jsonIn(data) : data
  const name = isObject(held) ? held['1'] : held
  return typeof name === 'string' ? name : undefined
}
