import type { Option, Read, Screen } from '../../parts/declare.ts'
import { languageOptions } from '../../parts/languages.ts'
import { channel, choice, days, noted, number, text, toggle } from './specs.ts'

const organizationTypes = [
  { value: 0, text: 'org_type.unspecified' },
  { value: 10, text: 'org_type.business' },
  { value: 20, text: 'org_type.open_source' },
  { value: 30, text: 'org_type.education_nonprofit' },
  { value: 35, text: 'org_type.education' },
  { value: 40, text: 'org_type.research' },
  { value: 50, text: 'org_type.event' },
  { value: 60, text: 'org_type.nonprofit' },
  { value: 70, text: 'org_type.government' },
  { value: 80, text: 'org_type.political' },
  { value: 90, text: 'org_type.community' },
  { value: 100, text: 'org_type.personal' },
  { value: 1000, text: 'org_type.other' },
] as const

export const profileTable: Screen = {
  scope: 'organization',
  groups: [
    {
      settings: [
        text('name', { max: 40, isRequired: true }),
        noted(text('description', { max: 1_000, isLong: true })),
        choice('org_type', organizationTypes),
        noted(choice('default_language', languageOptions)),
      ],
    },
  ],
}

const gifRatings = [
  { value: 0, text: 'gif_rating.none' },
  { value: 1, text: 'gif_rating.y' },
  { value: 2, text: 'gif_rating.g' },
  { value: 3, text: 'gif_rating.pg' },
  { value: 4, text: 'gif_rating.pg13' },
  { value: 5, text: 'gif_rating.r' },
] as const

const historyPolicies = [
  { value: 'all', text: 'edit_history.all' },
  { value: 'moves', text: 'edit_history.moves' },
  { value: 'none', text: 'edit_history.none' },
] as const

const topicsPolicies = [
  { value: 'allow_empty_topic', text: 'channel.topics_optional' },
  { value: 'disable_empty_topic', text: 'channel.topics_required' },
] as const

/** The providers that this server is configured for. */
const callProviders = (read: Read): Option[] => {
  const all: Record<string, { id: number; name: string }> = read('realm_available_video_chat_providers') ?? {}
  return Object.values(all).map(({ id, name }) =>
    id === 0 ? { value: id, text: 'org_calls.none' } : { value: id, name },
  )
}

/** From Monday on, as the API counts them. The epoch began on a Thursday. */
const weekdays = (): Option[] => {
  const { document } = globalThis as { document?: { documentElement: { lang: string } } }
  const format = new Intl.DateTimeFormat(document?.documentElement.lang, { weekday: 'long', timeZone: 'UTC' })
  return [4, 5, 6, 7, 8, 9, 10].map((day, value) => ({ value, name: format.format(day * 86_400_000) }))
}

export const messagesTable: Screen = {
  scope: 'organization',
  groups: [
    {
      title: 'org_group.messages',
      settings: [
        noted(choice('topics_policy', topicsPolicies)),
        choice('message_edit_history_visibility_policy', historyPolicies),
        noted(toggle('enable_read_receipts')),
        toggle('presence_disabled'),
        noted(days('message_retention_days', { isOwners: true })),
      ],
    },
    {
      title: 'org_group.content',
      settings: [
        toggle('inline_image_preview'),
        noted(toggle('inline_url_embed_preview', { needsServer: 'server_inline_url_embed_preview' })),
        noted(text('default_code_block_language', { max: 80 })),
        noted(choice('giphy_rating', gifRatings)),
        toggle('message_content_allowed_in_email_notifications'),
        toggle('digest_emails_enabled', { needsServer: 'settings_send_digest_emails' }),
        { ...choice('digest_weekday', weekdays), needs: 'digest_emails_enabled' },
      ],
    },
    { title: 'org_group.calls', settings: [choice('video_chat_provider', callProviders)] },
  ],
}

export const joiningTable: Screen = {
  scope: 'organization',
  groups: [
    {
      settings: [
        noted(toggle('invite_required', { isOwners: true })),
        toggle('emails_restricted_to_domains', { isOwners: true }),
        toggle('disallow_disposable_email_addresses', { isOwners: true }),
        noted(
          number(
            'waiting_period_threshold',
            { min: 0, max: 36_500, unit: 'org_limit.days' },
            { isOwners: true },
          ),
        ),
        toggle('send_welcome_emails'),
      ],
    },
  ],
}

export const announcementsTable: Screen = {
  scope: 'organization',
  groups: [
    {
      title: 'org_group.announcements',
      settings: [
        noted(channel('new_stream_announcements_stream_id', { isPrivate: false })),
        noted(channel('signup_announcements_stream_id', { isPrivate: false })),
      ],
    },
  ],
}

export const reportsTable: Screen = {
  scope: 'organization',
  groups: [{ settings: [noted(channel('moderation_request_channel_id', { isPrivate: true }))] }],
}
