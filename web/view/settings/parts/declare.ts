import type { TextKey } from '../../../lib/text-key.ts'
import type { GroupSetting } from '../../../store/server-state-types.ts'

// How settings are declared. A screen is a table of them, which the page shows (settings-table.tsx), the search of the
// settings reads, and the tests walk through. Tables import nothing that needs a browser.

/** One of the values of a choice: with a text, or with a name that is the same in all languages. */
export type Option = { value: Value } & ({ text: TextKey } | { name: string })

/** A value as the API has it. */
export type Value = string | number | boolean | null

/** The fields of the state that say what the server lets organizations do. */
export type ServerPermission =
  | 'server_web_public_streams_enabled'
  | 'server_inline_url_embed_preview'
  | 'settings_send_digest_emails'

type Common = {
  /** Its name in the body of the request that changes it, and in the state unless `field` says otherwise. */
  key: string
  /** Its name in the state. */
  field?: string
  text: TextKey
  note?: TextKey
  /** Why the user may not change it, if so; besides what holds for the whole screen. */
  refusal?: () => TextKey | undefined
  /** Whether only owners may change it, of the organization's settings. */
  isOwners?: true
  /** The setting of the organization without which it means nothing. */
  needs?: string
  /** The permission of the server that the setting needs. */
  needsServer?: ServerPermission
  /** Whether it is shown. It is if this is left out. */
  isOffered?: () => boolean
  /** How the request has a value, where that is not how the state has it. */
  wire?: (value: SettingValue) => unknown
}

export type SwitchSpec = Common & { kind: 'switch' }
/** Reads a field of the state, as the API has it. */
// biome-ignore lint/suspicious/noExplicitAny: tables know the fields that they read.
export type Read = (name: string) => any

export type ChoiceSpec = Common & {
  kind: 'choice'
  options: readonly Option[] | ((read: Read) => readonly Option[])
  /** Radio buttons rather than a list: for few options whose texts are to be read before choosing. */
  isRadio?: boolean
}
export type NumberSpec = Common & {
  kind: 'number'
  min: number
  max: number
  step?: number
  /** The unit of the number, shown after the field. */
  unit?: TextKey
}
export type TextSpec = Common & { kind: 'text'; max?: number; isLong?: boolean; isRequired?: boolean }
/**
 * A time, in the unit that the API has: chosen from a list, or typed in `unit` if `custom` allows that. `null` and other
 * special values are options of their own.
 */
export type DurationSpec = Common & {
  kind: 'duration'
  options: readonly Option[]
  /** How many of the API's units one typed unit is, and its name. */
  custom: { factor: number; unit: TextKey; min: number; max: number }
}
/** A permission: its holders are groups, roles and people. */
export type GroupSpec = Common & {
  kind: 'group'
  /** The name of the setting in `server_supported_permission_settings`, which says what it takes. */
  permission?: { kind: 'realm' | 'stream' | 'group'; name: string }
}

export type SettingSpec = SwitchSpec | ChoiceSpec | NumberSpec | TextSpec | DurationSpec | GroupSpec

/** `isMatrix`: a view shows them in rows and columns (matrix.tsx), not the table. */
type SettingGroup = {
  title?: TextKey
  note?: TextKey
  isMatrix?: boolean
  settings: readonly SettingSpec[]
}

/** A table of settings. */
export type Screen = {
  /** The owner of the settings, which determines where they are read and sent: see scopes.ts. */
  scope: 'user' | 'organization' | 'new_users'
  groups: readonly SettingGroup[]
}

export type SettingValue = Value | GroupSetting

/** The settings of a screen. */
export function settingsOf(screen: Screen): SettingSpec[] {
  return screen.groups.flatMap(({ settings }) => settings)
}

/** The values that a choice has now. */
export function optionsOf(spec: ChoiceSpec, read: Read = () => undefined): readonly Option[] {
  return typeof spec.options === 'function' ? spec.options(read) : spec.options
}
