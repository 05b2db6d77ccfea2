import { z } from 'zod'
import { boolean, json, pathInteger, text, type Values } from '../../../http/params.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'
import { channelNameSchema } from '../../kernel/channels/names.ts'
import { channelPermissions } from '../../kernel/groups/permission-settings.ts'
import { groupSettingUpdateParam } from '../../kernel/groups/setting-value.ts'
import { retentionParam } from '../kernel/channels/retention.ts'
import { topicsPolicyParam } from '../kernel/channels/topics-policy.ts'

const permissionParams = recordOf(namesIn(channelPermissions), (name) =>
  groupSettingUpdateParam(channelPermissions[name]).optional(),
)

/** The parameters for changing a channel. */
export const channelUpdateParams = {
  stream_id: pathInteger(),
  description: text({ max: channelLimits.channelDescriptionLength }).optional(),
  new_name: text().documentedAs(channelNameSchema).optional(),
  is_private: boolean().optional(),
  is_web_public: boolean().optional(), // level 98
  history_public_to_subscribers: boolean().optional(),
  is_default_stream: boolean().optional(), // level 200
  message_retention_days: retentionParam().optional(), // level 17
  is_archived: boolean().optional(), // level 388
  folder_id: json(z.int().nullable()).optional(), // level 389
  topics_policy: topicsPolicyParam().optional(), // level 392
  ...permissionParams,
}

export type UpdateChannelParams = Values<typeof channelUpdateParams>
