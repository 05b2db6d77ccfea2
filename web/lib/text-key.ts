import type channels from '../lang/channels/en.json'
import type drafts from '../lang/drafts/en.json'
import type en from '../lang/en.json'
import type groups from '../lang/groups/en.json'
import type help from '../lang/help/en.json'
import type moderation from '../lang/moderation/en.json'
import type organization from '../lang/organization/en.json'
import type recording from '../lang/recording/en.json'
import type settings from '../lang/settings/en.json'
import type share from '../lang/share/en.json'

/**
 * The keys of the texts. A text is an ICU message in lang/*.json, compiled when the client is built. Those in
 * the folders of lang are there after `loadMoreTexts` (more-texts.ts).
 */
export type TextKey =
  | keyof typeof en
  | keyof typeof channels
  | keyof typeof drafts
  | keyof typeof groups
  | keyof typeof moderation
  | keyof typeof help
  | keyof typeof organization
  | keyof typeof recording
  | keyof typeof settings
  | keyof typeof share
