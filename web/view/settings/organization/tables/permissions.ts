import type { Screen } from '../../parts/declare.ts'
import { noted, permission, timeLimit, toggle } from './specs.ts'

/** The permissions of the organization, and their time limits. */
export const permissionsTable: Screen = {
  scope: 'organization',
  groups: [
    {
      title: 'org_group.who_invites',
      settings: [
        permission('can_invite_users_group', { isOwners: true }),
        permission('create_multiuse_invite_group', { isOwners: true }),
      ],
    },
    {
      title: 'org_group.channels',
      settings: [
        permission('can_create_public_channel_group'),
        permission('can_create_private_channel_group'),
        noted(toggle('enable_spectator_access', { needsServer: 'server_web_public_streams_enabled' })),
        permission('can_create_web_public_channel_group', { needs: 'enable_spectator_access' }),
        noted(permission('can_add_subscribers_group')),
        permission('can_set_topics_policy_group'),
      ],
    },
    {
      title: 'org_group.editing',
      settings: [
        toggle('allow_message_editing'),
        timeLimit('message_content_edit_limit_seconds', { needs: 'allow_message_editing' }),
        permission('can_delete_own_message_group'),
        noted(timeLimit('message_content_delete_limit_seconds')),
        permission('can_delete_any_message_group'),
        permission('can_set_delete_message_policy_group'),
      ],
    },
    {
      title: 'org_group.moving',
      settings: [
        permission('can_move_messages_between_topics_group'),
        noted(timeLimit('move_messages_within_stream_limit_seconds')),
        permission('can_move_messages_between_channels_group'),
        noted(timeLimit('move_messages_between_streams_limit_seconds')),
        permission('can_resolve_topics_group'),
      ],
    },
    {
      title: 'org_group.direct',
      settings: [
        permission('direct_message_initiator_group'),
        noted(permission('direct_message_permission_group')),
        noted(permission('can_mention_many_users_group')),
      ],
    },
    {
      title: 'org_group.groups',
      settings: [
        permission('can_create_groups', { isOwners: true }),
        permission('can_manage_all_groups', { isOwners: true }),
      ],
    },
    {
      title: 'org_group.bots',
      settings: [
        permission('can_create_bots_group'),
        noted(permission('can_create_write_only_bots_group')),
        permission('can_add_custom_emoji_group'),
      ],
    },
    {
      title: 'org_group.people',
      settings: [
        noted(permission('can_access_all_users_group')),
        toggle('name_changes_disabled'),
        toggle('require_unique_names'),
        toggle('email_changes_disabled'),
        toggle('avatar_changes_disabled'),
        toggle('enable_guest_user_indicator'),
        toggle('enable_guest_user_dm_warning'),
      ],
    },
  ],
}
