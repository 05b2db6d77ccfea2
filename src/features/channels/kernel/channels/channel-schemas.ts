import { z } from 'zod'
import { channelPermissions } from '../../../kernel/groups/permission-settings.ts'
import { groupSettingSchemas } from '../../../kernel/groups/setting-value.ts'

/** A channel in responses. */
export const channelSchema = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  folder_id: z.int().nullable(), // level 389
  first_message_id: z.int().nullable(),
  is_archived: z.boolean(),
  is_recently_active: z.boolean(), // level 323
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.int().nullable(),
  stream_post_policy: z.int(),
  is_announcement_only: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  subscriber_count: z.int(), // level 394
  topics_policy: z.string(), // level 392
  ...groupSettingSchemas(channelPermissions),
})

/** A channel to which the user is subscribed. */
export const subscriptionSchema = channelSchema.extend({
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
  subscribers: z.array(z.int()).optional(),
  partial_subscribers: z.array(z.int()).optional(), // level 412
})
