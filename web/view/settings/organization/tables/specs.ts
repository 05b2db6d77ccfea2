import { inOrder } from '../../../../lib/in-order.ts'
import type { TextKey } from '../../../../lib/text-key.ts'
import type { Channel } from '../../../../store/server-state-types.ts'
import type {
  ChoiceSpec,
  DurationSpec,
  GroupSpec,
  NumberSpec,
  Option,
  Read,
  ServerPermission,
  SwitchSpec,
  TextSpec,
} from '../../parts/declare.ts'

// Short forms for declaring settings of the organization. Each is named by its text under `realm_setting.`; what else
// there is to say is under `realm_note.`.

type After<Prefix extends string> = TextKey extends infer Key
  ? Key extends `${Prefix}${infer Rest}`
    ? Rest
    : never
  : never

type SettingName = After<'realm_setting.'>
type NotedName = After<'realm_note.'>

type More = {
  /** Only owners may change it, not all administrators. */
  isOwners?: true
  /** The setting without which it means nothing, and the text that says so. */
  needs?: string
  /** The permission of the server that the setting needs. */
  needsServer?: ServerPermission
}

function common<Name extends SettingName>(key: Name, more: More = {}) {
  return { key, text: `realm_setting.${key}` as TextKey, ...more }
}

/** Adds the note of a setting. */
export function noted<Spec extends { key: string }>(
  spec: Spec & { key: NotedName },
): Spec & { note: TextKey } {
  return { ...spec, note: `realm_note.${spec.key}` as TextKey }
}

export function toggle<Name extends SettingName>(key: Name, more?: More) {
  return { kind: 'switch', ...common(key, more) } satisfies SwitchSpec
}

export function permission<Name extends SettingName>(key: Name, more?: More) {
  return { kind: 'group', ...common(key, more) } satisfies GroupSpec
}

export function choice<Name extends SettingName>(key: Name, options: ChoiceSpec['options']) {
  return { kind: 'choice', ...common(key), options } satisfies ChoiceSpec
}

export function number<Name extends SettingName>(
  key: Name,
  range: { min: number; max: number; unit: TextKey },
  more?: More,
) {
  return { kind: 'number', ...common(key, more), ...range } satisfies NumberSpec
}

export function text<Name extends SettingName>(
  key: Name,
  form: { max: number; isLong?: true; isRequired?: true },
) {
  return { kind: 'text', ...common(key), ...form } satisfies TextSpec
}

const usualLimits = [
  [120, 'org_limit.two_minutes'],
  [600, 'org_limit.ten_minutes'],
  [3_600, 'org_limit.hour'],
  [86_400, 'org_limit.day'],
  [604_800, 'org_limit.week'],
] as const

/** A time after which something is no longer allowed. The API has null for none, and takes the word. */
export function timeLimit<Name extends SettingName>(key: Name, more?: More) {
  const options: Option[] = [
    { value: null, text: 'org_limit.none' },
    ...usualLimits.map(([value, text]) => ({ value, text })),
  ]
  const custom = { factor: 60, unit: 'org_limit.minutes', min: 1, max: 35_791_394 } as const
  return {
    kind: 'duration',
    ...common(key, more),
    options,
    custom,
    wire: (value) => value ?? 'unlimited',
  } satisfies DurationSpec
}

/** For how many days something is kept. The API has -1 for ever, and takes the word. */
export function days<Name extends SettingName>(key: Name, more?: More) {
  const options: Option[] = [
    { value: -1, text: 'retention.forever' },
    { value: 30, text: 'org_limit.month' },
    { value: 365, text: 'org_limit.year' },
  ]
  const custom = { factor: 1, unit: 'org_limit.days', min: 1, max: 2_147_483_647 } as const
  return {
    kind: 'duration',
    ...common(key, more),
    options,
    custom,
    wire: (value) => (value === -1 ? 'unlimited' : value),
  } satisfies DurationSpec
}

/** A channel for messages of the server. */
export function channel<Name extends SettingName>(key: Name, takes: { isPrivate: boolean }) {
  const options = (read: Read): Option[] => {
    const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'].map((name) => read(name) ?? [])
    const found = (lists.flat() as Channel[])
      .filter((one) => !one.is_archived && (!takes.isPrivate || one.invite_only))
      .sort((a, b) => inOrder(a.name, b.name))
    return [
      { value: -1, text: 'channel.no_folder' },
      ...found.map(({ stream_id, name }) => ({ value: stream_id, name: `#${name}` })),
    ]
  }
  return choice(key, options)
}
