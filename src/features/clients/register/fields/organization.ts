import { customEmojiOf } from '../../../kernel/emoji/custom-emoji.ts'
import { linkifiersOf } from '../../../kernel/linkifiers/linkifiers.ts'
import { domainsOf } from '../../../organization/domains/domains.ts'
import { playgroundsOf } from '../../../organization/playgrounds/playgrounds.ts'
import type { Section } from '../section.ts'

export const organizationSections: Section[] = [
  {
    asked: ['realm_linkifiers'],
    fields: ({ realm, capabilities }) => ({
      realm_linkifiers: capabilities.linkifier_url_template ? linkifiersOf(realm) : [],
    }),
  },
  // The older form of linkifiers cannot express the current ones (level 176).
  { asked: ['realm_filters'], fields: () => ({ realm_filters: [] }) },
  { asked: ['realm_playgrounds'], fields: ({ realm }) => ({ realm_playgrounds: playgroundsOf(realm) }) },
  { asked: ['realm_emoji'], fields: ({ realm }) => ({ realm_emoji: customEmojiOf(realm) }) },
  { asked: ['realm_domains'], fields: ({ realm }) => ({ realm_domains: domainsOf(realm) }) },
]
