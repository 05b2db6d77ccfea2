import type { ChoiceSpec, Screen } from '../parts/declare.ts'
import { languageOptions } from '../parts/languages.ts'
import { timeZones } from './time-zones.ts'

const whenever = {
  kind: 'choice',
  options: [
    { value: 1, text: 'preferences.topics_participating' },
    { value: 2, text: 'preferences.topics_sending' },
    { value: 3, text: 'preferences.topics_starting' },
    { value: 4, text: 'settings.never' },
  ],
} as const satisfies Partial<ChoiceSpec>

/** How the client acts. */
export const preferences: Screen = {
  scope: 'user',
  groups: [
    {
      title: 'preferences.navigation',
      settings: [
        {
          key: 'web_home_view',
          kind: 'choice',
          text: 'preferences.home',
          note: 'preferences.home_note',
          options: [
            { value: 'inbox', text: 'view.inbox' },
            { value: 'recent_topics', text: 'view.recent' },
            { value: 'all_messages', text: 'view.feed' },
          ],
        },
        { key: 'web_escape_navigates_to_home_view', kind: 'switch', text: 'preferences.escape_home' },
      ],
    },
    {
      title: 'preferences.writing',
      settings: [
        {
          key: 'enter_sends',
          kind: 'switch',
          text: 'preferences.enter_sends',
          note: 'preferences.enter_sends_note',
        },
        {
          key: 'enable_drafts_synchronization',
          kind: 'switch',
          text: 'preferences.drafts',
          note: 'preferences.drafts_note',
        },
        { key: 'translate_emoticons', kind: 'switch', text: 'preferences.emoticons' },
        { key: 'receives_typing_notifications', kind: 'switch', text: 'preferences.typing' },
      ],
    },
    {
      title: 'preferences.reading',
      settings: [
        {
          key: 'web_mark_read_on_scroll_policy',
          kind: 'choice',
          text: 'preferences.mark_read',
          options: [
            { value: 1, text: 'settings.always' },
            { value: 2, text: 'preferences.mark_read_conversations' },
            { value: 3, text: 'settings.never' },
          ],
        },
        {
          key: 'resolved_topic_notice_auto_read_policy',
          kind: 'choice',
          text: 'preferences.resolved_read',
          options: [
            { value: 'always', text: 'settings.always' },
            { value: 'except_followed', text: 'preferences.except_followed' },
            { value: 'never', text: 'settings.never' },
          ],
        },
      ],
    },
    {
      title: 'preferences.topics',
      settings: [
        { ...whenever, key: 'automatically_follow_topics_policy', text: 'preferences.follow' },
        {
          ...whenever,
          key: 'automatically_unmute_topics_in_muted_streams_policy',
          text: 'preferences.unmute',
        },
        {
          key: 'automatically_follow_topics_where_mentioned',
          kind: 'switch',
          text: 'preferences.follow_mentioned',
        },
      ],
    },
    {
      title: 'preferences.place',
      settings: [
        {
          key: 'default_language',
          kind: 'choice',
          text: 'preferences.language',
          note: 'preferences.language_note',
          options: languageOptions,
        },
        { key: 'timezone', kind: 'choice', text: 'preferences.timezone', options: timeZones },
      ],
    },
  ],
}
