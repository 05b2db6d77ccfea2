import type { AccountRow } from '../../../db/schema.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Lookup, Mentionable } from '../../../markdown/render.ts'
import { hasMetadataAccess } from '../channels/access.ts'
import { emojiLookup } from '../emoji/emoji-lookup.ts'
import { linkifiersOf } from '../linkifiers/linkifiers.ts'
import { realmSettings } from '../settings/settings.ts'
import { emptyTopicDisplayName } from '../topics/shown-topic.ts'
import { userSetting } from '../users/settings.ts'
import { canSeeUser } from '../users/user-visibility.ts'

/**
 * Returns the lookup that resolves mentions and links in a message. A name shared by several users is ambiguous and
 * matches none unless the text also gives the id. A writer can only name users and channels that they may see.
 */
export function markdownLookup(realm: RealmState, url: string, writer: AccountRow): Lookup {
  const settings = realmSettings(realm)
  const { customEmoji, extraEmoji } = emojiLookup(realm)
  return {
    customEmoji,
    extraEmoji,
    realmUrl: url,
    emptyTopicName: emptyTopicDisplayName,
    defaultCodeLanguage: settings.default_code_block_language,
    inlineImagePreview: settings.inline_image_preview,
    translateEmoticons: userSetting(writer, 'translate_emoticons'),
    linkifiers: linkifiersOf(realm),
    userByName: (name) =>
      mentionable(only(visibleAmong(realm, writer, realm.usersByFullName(name.toLowerCase())))),
    userById: (id) => mentionable(only(visibleAmong(realm, writer, [realm.users.get(id)]))),
    channelByName(name) {
      const channel = realm.channelByName(lower(name))
      return channel && hasMetadataAccess(realm, writer, channel) ? channel : undefined
    },
    groupByName(name) {
      const group = realm.groupByName(lower(name))
      if (!group) return undefined
      const shownName = systemGroupNames.get(group.name) ?? group.name
      return { id: group.id, name: shownName, isDeactivated: group.is_deactivated }
    },
  }
}

/**
 * Returns the lookup for a text that the server composes. Such texts repeat words of the user who causes them, or who
 * gets them, so they name only what this user may see.
 */
export function noticeLookup(realm: RealmState, url: string, person: AccountRow): Lookup {
  return { ...markdownLookup(realm, url, person), translateEmoticons: false }
}

/** The names that readers see in mentions of system groups. */
const systemGroupNames = new Map([
  ['role:nobody', 'Nobody'],
  ['role:owners', 'Owners'],
  ['role:administrators', 'Administrators'],
  ['role:moderators', 'Moderators'],
  ['role:fullmembers', 'Full members'],
  ['role:members', 'Members'],
  ['role:everyone', 'Everyone'],
  ['role:internet', 'Everyone on the internet'],
])

function mentionable(user: AccountRow | undefined): Mentionable | undefined {
  return user && { id: user.id, name: user.full_name, isDeactivated: !user.is_active }
}

function only<T>(found: T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined
}

/** Returns the users whom the writer may see, among these. */
function visibleAmong(realm: RealmState, writer: AccountRow, users: Iterable<AccountRow | undefined>) {
  return [...users].filter((user) => user && canSeeUser(realm, writer, user))
}
