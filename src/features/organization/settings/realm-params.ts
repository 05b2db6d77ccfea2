import { z } from 'zod'
import { boolean, json, jsonOrWord, Param, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import { realmPermissions } from '../../kernel/groups/permission-settings.ts'
import { groupSettingUpdateParam } from '../../kernel/groups/setting-value.ts'
import { languageParam } from '../kernel/users/setting-choices.ts'
import { realmLimits } from './limits.ts'
import { checkedTimeLimit, timeLimitSchema } from './time-limit.ts'

/** The settings of PATCH /realm other than permissions, as they are stored. */
export const realmSettingParams = {
  description: text({ max: realmLimits.realmDescriptionLength }).optional(),
  allow_message_editing: boolean().optional(),
  avatar_changes_disabled: boolean().optional(),
  default_code_block_language: text({ max: 80 }).optional(),
  default_language: languageParam().optional(),
  digest_emails_enabled: boolean().optional(),
  digest_weekday: number([0, 1, 2, 3, 4, 5, 6]).optional(),
  disallow_disposable_email_addresses: boolean().optional(),
  email_changes_disabled: boolean().optional(),
  emails_restricted_to_domains: boolean().optional(),
  enable_guest_user_dm_warning: boolean().optional(),
  enable_guest_user_indicator: boolean().optional(),
  enable_read_receipts: boolean().optional(),
  enable_spectator_access: boolean().optional(),
  giphy_rating: number([0, 1, 2, 3, 4, 5], true).optional(),
  inline_image_preview: boolean().optional(),
  inline_url_embed_preview: boolean().optional(),
  invite_required: boolean().optional(),
  jitsi_server_url: jitsiServer().optional(),
  message_content_allowed_in_email_notifications: boolean().optional(),
  message_content_delete_limit_seconds: timeLimit(null).optional(),
  message_content_edit_limit_seconds: timeLimit(null).optional(),
  message_edit_history_visibility_policy: text({ oneOf: ['all', 'moves', 'none'] }).optional(),
  message_retention_days: timeLimit(-1).optional(),
  move_messages_between_streams_limit_seconds: timeLimit(null).optional(),
  move_messages_within_stream_limit_seconds: timeLimit(null).optional(),
  name_changes_disabled: boolean().optional(),
  org_type: number([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]).optional(),
  presence_disabled: boolean().optional(),
  require_unique_names: boolean().optional(),
  send_welcome_emails: boolean().optional(),
  topics_policy: text({ oneOf: ['allow_empty_topic', 'disable_empty_topic'], quotable: true }).optional(), // level 392
  video_chat_provider: number([0, 1, 3, 4], true).optional(),
  waiting_period_threshold: json(z.int().min(0).max(realmLimits.waitingPeriodDays)).optional(),
  want_advertise_in_communities_directory: boolean().optional(),
  moderation_request_channel_id: json(z.int()).optional(),
  new_stream_announcements_stream_id: json(z.int()).optional(),
  signup_announcements_stream_id: json(z.int()).optional(),
  zulip_update_announcements_stream_id: json(z.int()).optional(),
}

/** The permissions of the organization. Each value states who holds the permission. */
export const realmPermissionParams = recordOf(namesIn(realmPermissions), (name) =>
  groupSettingUpdateParam(realmPermissions[name]).optional(),
)

/** One of some numbers. The error includes the value if clients expect that. */
function number(values: number[], namesValue = false): Param<number> {
  const plain = json(z.int())
  return new Param('form', z.int().meta({ enum: values }), true, (raw, name) => {
    const value = plain.read(name, () => raw)
    if (!values.includes(value)) throw badRequest(`Invalid ${name}${namesValue ? ` ${value}` : ''}`)
    return value
  })
}

/** A positive number, or the word `unlimited`, which is stored as `none`. */
function timeLimit<None extends number | null>(none: None): Param<number | None> {
  const plain = jsonOrWord(z.union([z.int(), z.string()]), ['unlimited'])
  return new Param<number | None>('form', timeLimitSchema(['unlimited']), true, (raw, name) => {
    const value = plain.read(name, () => raw)
    return checkedTimeLimit(name, value, none)
  })
}

/** An address, '' for none, or the word `default`, which is stored as null. As JSON alone, like the reference server. */
function jitsiServer(): Param<string | null> {
  const plain = json(z.string().max(200))
  const url = z.string().max(200).meta({ pattern: '^https?://[^\\s/]+' })
  const schema = z.union([z.literal(['', 'default']), url])
  return new Param<string | null>('form', schema, true, (raw, name) => {
    const value = plain.read(name, () => raw)
    if (value === 'default') return null
    if (value !== '' && !/^https?:\/\/[^\s/]+/.test(value)) throw badRequest(`${name} is not a URL`)
    return value
  })
}
