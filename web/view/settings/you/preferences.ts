import type { Screen } from '../parts/declare.ts'

/** How the client acts. */
export const preferences: Screen = {
  scope: 'user',
  groups: [
    {
      title: 'preferences.writing',
      settings: [
        {
          key: 'enter_sends',
          kind: 'switch',
          text: 'preferences.enter_sends',
          note: 'preferences.enter_sends_note',
        },
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
            { value: 1, text: 'preferences.mark_read_always' },
            { value: 2, text: 'preferences.mark_read_conversations' },
            { value: 3, text: 'preferences.mark_read_never' },
          ],
        },
      ],
    },
  ],
}
