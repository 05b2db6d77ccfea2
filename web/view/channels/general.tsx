import { createUniqueId } from 'solid-js'
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
import { field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { SelectSetting, TextSetting } from '../settings/parts/field-settings.tsx'
import { SettingFrame, useSetting } from '../settings/parts/setting.tsx'
import { Archive } from './archive.tsx'
import { DescriptionPreview, MailAddress } from './more.tsx'
import { DefaultSetting, FolderSetting } from './placing.tsx'
import { PrivacyField, privacyRefusal } from './privacy-field.tsx'
import { RetentionSetting } from './retention.tsx'

const trimmed = (text: string) => text.trim()

/** Shows the name of a channel, who may read it, and its place in the lists. */
export function General(props: { channel: Channel; close(): void }) {
  const reason = () => (administers(props.channel) ? undefined : t('channel.only_administrators'))
  const send = (params: Record<string, unknown>) => patch(`/streams/${props.channel.stream_id}`, params)
  return (
    <div class="settings">
      <Names channel={props.channel} send={send} reason={reason()} />
      <div data-params="is_private is_web_public history_public_to_subscribers">
        <PrivacySetting channel={props.channel} send={send} reason={reason()} />
      </div>
      <div data-params="folder_id">
        <FolderSetting channel={props.channel} send={send} reason={reason()} />
      </div>
      <div data-params="is_default_stream">
        <DefaultSetting channel={props.channel} send={send} />
      </div>
      <div data-params="topics_policy">
        <TopicsSetting channel={props.channel} send={send} reason={reason()} />
      </div>
      <div data-params="message_retention_days">
        <RetentionSetting channel={props.channel} send={send} />
      </div>
      <MailAddress channel={props.channel} />
      <div data-params="is_archived">
        <Archive channel={props.channel} reason={reason()} send={send} close={props.close} />
      </div>
    </div>
  )
}

export type SettingProps = {
  channel: Channel
  send(params: Record<string, unknown>): Promise<unknown>
  reason: string | undefined
}

/** Edits the name and the description of a channel. */
function Names(props: SettingProps) {
  const name = useSetting(
    () => props.channel.name,
    (value) => props.send({ new_name: value }),
    trimmed,
  )
  const description = useSetting(
    () => props.channel.description,
    (value) => props.send({ description: value }),
    trimmed,
  )
  return (
    <>
      <div data-params="new_name">
        <TextSetting
          setting={name}
          label={t('channel.name')}
          max={field('max_stream_name_length')}
          reason={props.reason}
          isRequired
        />
      </div>
      <div data-params="description">
        <TextSetting
          setting={description}
          label={t('channel.description')}
          max={field('max_stream_description_length')}
          reason={props.reason}
          lines={2}
        />
        <DescriptionPreview text={description.value()} />
      </div>
    </>
  )
}

function PrivacySetting(props: SettingProps) {
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

export const topicsPolicies: Record<string, TextKey> = {
  inherit: 'channel.topics_inherit',
  allow_empty_topic: 'channel.topics_optional',
  disable_empty_topic: 'channel.topics_required',
  empty_topic_only: 'channel.topics_none',
}

function TopicsSetting(props: SettingProps) {
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
      options={Object.entries(topicsPolicies).map(([policy, key]) => [policy, t(key)])}
    />
  )
}
