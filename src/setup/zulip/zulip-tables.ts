import { z } from 'zod'

// The rows of an export of Zulip, as far as they are read. Its versions differ, so nearly every column may be missing, and one of
// another form counts as missing. Ids have at most half of the numbers of our sequences, as in imports of our own exports.

const id = z
  .int()
  .min(1)
  .max(2 ** 30)
const messageId = z
  .int()
  .min(1)
  .max(2 ** 51)
const maybeId = id.nullable().catch(null)
const flag = z.boolean().catch(false)
const maybeFlag = z.boolean().nullable().catch(null)
const number = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1)
  .catch(0)
const maybeNumber = z.int().nullable().catch(null)
/** A text as PostgreSQL can store it. */
const string = z.string().transform((sent) => sent.replaceAll('\0', '').toWellFormed())
const text = string.catch('')
const maybeText = string.nullable().catch(null)
/** A time that a calendar can have, in seconds; with fractions in the file. */
const seconds = z.number().min(0).max(9_999_999_999).transform(Math.floor).nullable().catch(null)

const user = z.looseObject({
  id,
  email: text,
  delivery_email: text,
  full_name: text,
  role: maybeNumber,
  // Before there were roles.
  is_realm_admin: flag,
  is_guest: flag,
  is_active: z.boolean().catch(true),
  is_bot: flag,
  bot_type: maybeNumber,
  bot_owner: maybeId,
  timezone: text,
  avatar_source: text,
  /** Of direct messages. */
  recipient: maybeId,
  date_joined: seconds,
  long_term_idle: flag,
  last_active_message_id: messageId.nullable().catch(null),
  can_create_users: flag,
  can_change_user_emails: flag,
  default_sending_stream: maybeId,
  default_events_register_stream: maybeId,
  default_all_public_streams: flag,
})

const group = z.looseObject({
  id: maybeId,
  usergroup_ptr: maybeId,
  name: maybeText,
  description: text,
  is_system_group: flag,
  creator: maybeId,
  deactivated: flag,
  date_created: seconds,
})

const channel = z.looseObject({
  id,
  name: text,
  description: text,
  invite_only: flag,
  is_web_public: flag,
  history_public_to_subscribers: maybeFlag,
  deactivated: flag,
  date_created: seconds,
  creator: maybeId,
  message_retention_days: maybeNumber,
  stream_post_policy: maybeNumber,
  // Before that.
  is_announcement_only: flag,
  topics_policy: z.union([z.int(), z.string()]).nullable().catch(null),
  folder: maybeId,
})

const subscription = z.object({
  user_profile: id,
  recipient: id,
  active: z.boolean().catch(true),
  color: text,
  is_muted: maybeFlag,
  // In place of is_muted, in old versions.
  in_home_view: maybeFlag,
  pin_to_top: flag,
  desktop_notifications: maybeFlag,
  audible_notifications: maybeFlag,
  push_notifications: maybeFlag,
  email_notifications: maybeFlag,
  wildcard_mentions_notify: maybeFlag,
})

const emojiColumns = { emoji_name: text, emoji_code: text, reaction_type: text }

/** The tables of realm.json. */
export const zulipTables = {
  zerver_realm: z.looseObject({
    name: text,
    description: text,
    date_created: seconds,
    icon_source: text,
    logo_source: text,
    night_logo_source: text,
  }),
  zerver_realmuserdefault: z.looseObject({}),
  zerver_userprofile: user,
  zerver_userprofile_mirrordummy: user,
  zerver_userprofile_crossrealm: z.object({ id, email: text, recipient_id: maybeId }),
  zerver_usergroup: group,
  zerver_namedusergroup: group,
  zerver_usergroupmembership: z.object({ user_group: id, user_profile: id }),
  zerver_groupgroupmembership: z.object({ supergroup: id, subgroup: id }),
  zerver_channelfolder: z.object({
    id,
    name: text,
    description: text,
    creator: maybeId,
    is_archived: flag,
    date_created: seconds,
    order: number,
  }),
  zerver_stream: channel,
  zerver_defaultstream: z.object({ stream: id }),
  zerver_recipient: z.object({ id, type: z.int(), type_id: id }),
  zerver_subscription: subscription,
  zerver_realmauditlog: z.object({
    id,
    event_type: z.union([z.int(), z.string()]).nullable().catch(null),
    modified_user: maybeId,
    modified_stream: maybeId,
    modified_user_group: maybeId,
    event_last_message_id: maybeNumber,
    extra_data: z.unknown().optional(),
  }),
  zerver_client: z.object({ id, name: string }),
  zerver_reaction: z.object({ message: messageId, user_profile: id, ...emojiColumns }),
  zerver_submessage: z.object({ id, message: messageId, sender: id, msg_type: string, content: string }),
  zerver_realmemoji: z.object({
    id,
    name: string,
    author: maybeId,
    file_name: maybeText,
    deactivated: flag,
  }),
  zerver_realmfilter: z.object({
    id,
    pattern: string,
    url_template: maybeText,
    url_format_string: maybeText,
    order: number,
  }),
  zerver_realmplayground: z.object({
    id,
    name: string,
    pygments_language: string,
    url_template: maybeText,
    url_prefix: maybeText,
  }),
  zerver_realmdomain: z.object({ domain: string, allow_subdomains: flag }),
  zerver_customprofilefield: z.object({
    id,
    name: string,
    hint: maybeText,
    order: number,
    field_type: z.int(),
    field_data: maybeText,
    display_in_profile_summary: flag,
    required: flag,
    editable_by_user: z.boolean().catch(true),
  }),
  zerver_customprofilefieldvalue: z.object({ user_profile: id, field: id, value: string }),
  zerver_usertopic: z.object({
    user_profile: id,
    stream: id,
    topic_name: string,
    visibility_policy: z.int(),
    last_updated: seconds,
  }),
  zerver_mutedtopic: z.object({ user_profile: id, stream: id, topic_name: string, date_muted: seconds }),
  zerver_muteduser: z.object({ user_profile: id, muted_user: id, date_muted: seconds }),
  zerver_alertword: z.object({ user_profile: id, word: string }),
  zerver_userstatus: z.object({ user_profile: id, status_text: text, ...emojiColumns }),
  zerver_userpresence: z.object({
    user_profile: id,
    last_active_time: seconds,
    last_connected_time: seconds,
  }),
  zerver_onboardingstep: z.object({ user: id, onboarding_step: string }),
  zerver_savedsnippet: z.object({
    user_profile: id,
    title: string,
    content: string,
    date_created: seconds,
  }),
  zerver_scheduledmessage: z.object({
    sender: id,
    recipient: id,
    subject: text,
    content: string,
    sending_client: maybeId,
    scheduled_timestamp: z.number().min(0).max(9_999_999_999).transform(Math.floor),
    delivered: flag,
    failed: flag,
    delivery_type: z.int().catch(1),
    reminder_target_message_id: messageId.nullable().catch(null),
  }),
  zerver_navigationview: z.object({ user: id, fragment: string, is_pinned: flag, name: maybeText }),
  zerver_botstoragedata: z.object({ bot_profile: id, key: string, value: string }),
  zerver_botconfigdata: z.object({ bot_profile: id, key: string, value: string }),
  zerver_service: z.object({ user_profile: id, name: text, base_url: text, interface: number }),
} satisfies Record<string, z.ZodType>

/** A row of attachment.json. */
export const zulipAttachment = z.object({
  path_id: string,
  file_name: text,
  owner: id,
  create_time: seconds,
  messages: z.array(z.int()).optional().catch(undefined),
})

/** A row of the files of messages. */
export const zulipMessage = z.object({
  id: messageId,
  sender: id,
  recipient: id,
  subject: text,
  content: string,
  date_sent: seconds,
  // In old versions.
  pub_date: seconds,
  sending_client: maybeId,
  last_edit_time: seconds,
  edit_history: maybeText,
})

/** One version in the history of a message, as the text of edit_history holds it: the newest first. */
export const zulipEdit = z.object({
  user_id: maybeId,
  timestamp: z.number().min(0).max(9_999_999_999).transform(Math.floor),
  prev_content: string.optional().catch(undefined),
  prev_topic: string.optional().catch(undefined),
  prev_subject: string.optional().catch(undefined),
  prev_stream: id.optional().catch(undefined),
})

/** A file, in the records.json of its kind. */
export const zulipRecord = z.object({
  path: string,
  s3_path: text,
  user_profile_id: maybeId,
})

export type ZulipTable = keyof typeof zulipTables
export type ZulipRow<T extends ZulipTable> = z.infer<(typeof zulipTables)[T]>
export type ZulipAttachment = z.infer<typeof zulipAttachment>
export type ZulipEdit = z.infer<typeof zulipEdit>
export type ZulipMessage = z.infer<typeof zulipMessage>
export type ZulipRecord = z.infer<typeof zulipRecord>
/** A user's row of a message: it says that the user has it, and its flags. */
export type ZulipUserMessage = { user_profile: number; message: number; flags_mask: number }
