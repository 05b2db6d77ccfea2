import { createSignal, createUniqueId, For, Show } from 'solid-js'
import { patch } from '../../api/client.ts'
import { type TextKey, t } from '../../lib/i18n.ts'
import {
  administers,
  canRead,
  mayChooseTopicsPolicy,
  mayCreate,
  type Privacy,
  privacyOf,
  privacyParams,
} from '../../store/channel-rights.ts'
import { currentState, field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { type Setting, SettingFrame, useSetting } from '../settings/parts/setting.tsx'
import { Archive } from './archive.tsx'
import { PrivacyField, privacyRefusal } from './privacy-field.tsx'

const trimmed = (text: string) => text.trim()

/** What a channel is: its name, who may read it, where it stands. */
export function General(props: { channel: Channel; close(): void }) {
  const reason = () => (administers(props.channel) ? undefined : t('channel.only_administrators'))
  const send = (params: Record<string, unknown>) => patch(`/streams/${props.channel.stream_id}`, params)
  const name = useSetting(
    () => props.channel.name,
    (value) => send({ new_name: value }),
    trimmed,
  )
  const description = useSetting(
    () => props.channel.description,
    (value) => send({ description: value }),
    trimmed,
  )
  return (
    <div class="settings">
      <TextSetting
        setting={name}
        label={t('channel.name')}
        max={field('max_stream_name_length')}
        reason={reason()}
        isRequired
      />
      <TextSetting
        setting={description}
        label={t('channel.description')}
        max={field('max_stream_description_length')}
        reason={reason()}
        isLong
      />
      <PrivacySetting channel={props.channel} send={send} reason={reason()} />
      <FolderSetting channel={props.channel} send={send} reason={reason()} />
      <TopicsSetting channel={props.channel} send={send} reason={reason()} />
      <RetentionSetting channel={props.channel} send={send} />
      <Archive channel={props.channel} reason={reason()} send={send} close={props.close} />
    </div>
  )
}

type Props = {
  channel: Channel
  send(params: Record<string, unknown>): Promise<unknown>
  reason: string | undefined
}

function TextSetting(props: {
  setting: Setting<string>
  label: string
  max: number
  reason: string | undefined
  isLong?: boolean
  isRequired?: boolean
}) {
  const id = createUniqueId()
  const shared = () => ({
    class: 'field',
    dir: 'auto' as const,
    maxlength: props.max,
    value: props.setting.value(),
    disabled: props.reason !== undefined,
    'aria-describedby': id,
    'aria-invalid': props.setting.error() !== undefined,
    onInput: (event: { currentTarget: { value: string } }) => props.setting.set(event.currentTarget.value),
  })
  return (
    <SettingFrame
      setting={props.setting}
      reason={props.reason}
      id={id}
      isIncomplete={(props.isRequired ?? false) && !props.setting.value().trim()}
    >
      <label>
        {props.label}
        <Show when={props.isLong} fallback={<input {...shared()} />}>
          <textarea rows="2" {...shared()} />
        </Show>
      </label>
    </SettingFrame>
  )
}

function PrivacySetting(props: Props) {
  const id = createUniqueId()
  const setting = useSetting<Privacy>(
    () => privacyOf(props.channel),
    (value) => props.send(privacyParams(value)),
  )
  const reason = () => props.reason ?? (canRead(props.channel) ? undefined : t('channel.only_readers'))
  const refusal = (privacy: Privacy) => {
    if (reason()) return ''
    const isKept = privacyParams(privacy).is_private === props.channel.invite_only && privacy !== 'web_public'
    return isKept || mayCreate(privacy) ? undefined : privacyRefusal(privacy)
  }
  return (
    <SettingFrame setting={setting} reason={reason()} id={id}>
      <PrivacyField value={setting.value()} change={setting.set} refusal={refusal} describedBy={id} />
    </SettingFrame>
  )
}

function FolderSetting(props: Props) {
  const folders = () => (field('channel_folders') ?? []).filter(({ is_archived }) => !is_archived)
  const setting = useSetting<number | null>(
    () => props.channel.folder_id,
    (value) => props.send({ folder_id: value }),
  )
  return (
    <Show when={folders().length > 0}>
      <SelectSetting
        setting={setting}
        label={t('channel.folder')}
        reason={props.reason}
        options={[
          { value: null, name: t('channel.no_folder') },
          ...folders().map(({ id, name }) => ({ value: id, name })),
        ]}
      />
    </Show>
  )
}

export const topicsPolicies: Record<string, TextKey> = {
  inherit: 'channel.topics_inherit',
  allow_empty_topic: 'channel.topics_optional',
  disable_empty_topic: 'channel.topics_required',
  empty_topic_only: 'channel.topics_none',
}

function TopicsSetting(props: Props) {
  const setting = useSetting(
    () => props.channel.topics_policy,
    (value) => props.send({ topics_policy: value }),
  )
  const reason = () => props.reason ?? (mayChooseTopicsPolicy() ? undefined : t('channel.may_not_choose'))
  return (
    <SelectSetting
      setting={setting}
      label={t('channel.topics')}
      reason={reason()}
      options={Object.entries(topicsPolicies).map(([value, key]) => ({ value, name: t(key) }))}
    />
  )
}

function SelectSetting<T extends string | number | null>(props: {
  setting: Setting<T>
  label: string
  reason: string | undefined
  options: { value: T; name: string }[]
}) {
  const id = createUniqueId()
  return (
    <SettingFrame setting={props.setting} reason={props.reason} id={id}>
      <label>
        {props.label}
        <select
          class="field"
          disabled={props.reason !== undefined}
          aria-describedby={id}
          onChange={(event) => {
            const chosen = props.options[event.currentTarget.selectedIndex]
            if (chosen) props.setting.set(chosen.value)
          }}
        >
          <For each={props.options}>
            {({ value, name }) => <option selected={props.setting.value() === value}>{name}</option>}
          </For>
        </select>
      </label>
    </SettingFrame>
  )
}

const longestRetention = 10_000

/** How long messages are kept: as in the organization, for ever, or for a number of days. */
function RetentionSetting(props: Omit<Props, 'reason'>) {
  const id = createUniqueId()
  const setting = useSetting<number | null>(
    () => props.channel.message_retention_days,
    (value) =>
      props.send({
        message_retention_days: value ?? 'realm_default',
        ...(value === -1 && { message_retention_days: 'unlimited' }),
      }),
  )
  const [days, setDays] = createSignal(30)
  const reason = () => (currentState().is_admin ? undefined : t('channel.only_organization_administrators'))
  const kind = () => {
    const value = setting.value()
    return value === null ? 'default' : value < 0 ? 'forever' : 'days'
  }
  const choose = (chosen: string) =>
    setting.set(chosen === 'default' ? null : chosen === 'forever' ? -1 : days())
  return (
    <SettingFrame
      setting={setting}
      reason={reason()}
      id={id}
      isIncomplete={!(Number(setting.value() ?? 1) !== 0)}
    >
      <label>
        {t('channel.retention')}
        <select
          class="field"
          disabled={reason() !== undefined}
          aria-describedby={id}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="default" selected={kind() === 'default'}>
            {t('retention.default', { count: Math.max(0, field('realm_message_retention_days')) })}
          </option>
          <option value="forever" selected={kind() === 'forever'}>
            {t('retention.forever')}
          </option>
          <option value="days" selected={kind() === 'days'}>
            {t('retention.limited')}
          </option>
        </select>
      </label>
      <Show when={kind() === 'days'}>
        <label>
          {t('retention.days')}
          <input
            class="field"
            type="number"
            min="1"
            max={longestRetention}
            disabled={reason() !== undefined}
            value={setting.value() ?? days()}
            onInput={(event) => {
              const count = Math.min(
                longestRetention,
                Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0)),
              )
              setDays(Math.max(1, count))
              setting.set(count)
            }}
          />
        </label>
      </Show>
    </SettingFrame>
  )
}
