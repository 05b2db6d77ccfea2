import type { Screen } from '../parts/declare.ts'

/** The settings that say what others learn of the user. */
export const privacy: Screen = {
  scope: 'user',
  groups: [
    {
      title: 'privacy.activity',
      settings: [
        {
          key: 'presence_enabled',
          kind: 'switch',
          text: 'privacy.presence_enabled',
          note: 'privacy.presence_note',
        },
        { key: 'send_read_receipts', kind: 'switch', text: 'privacy.send_read_receipts' },
        {
          key: 'send_private_typing_notifications',
          kind: 'switch',
          text: 'privacy.send_private_typing_notifications',
        },
        {
          key: 'send_stream_typing_notifications',
          kind: 'switch',
          text: 'privacy.send_stream_typing_notifications',
        },
      ],
    },
    {
      title: 'privacy.identity',
      settings: [
        {
          key: 'email_address_visibility',
          kind: 'choice',
          text: 'privacy.email_address_visibility',
          options: [
            { value: 1, text: 'group.everyone' },
            { value: 2, text: 'group.members' },
            { value: 5, text: 'group.moderators' },
            { value: 3, text: 'group.administrators' },
            { value: 4, text: 'group.nobody' },
          ],
        },
        {
          key: 'allow_private_data_export',
          kind: 'switch',
          text: 'privacy.allow_private_data_export',
          note: 'privacy.export_note',
        },
      ],
    },
  ],
}
