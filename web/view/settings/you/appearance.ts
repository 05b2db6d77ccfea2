import type { Screen } from '../parts/declare.ts'

/** How the client looks. */
export const appearance: Screen = {
  scope: 'user',
  groups: [
    {
      settings: [
        {
          key: 'color_scheme',
          kind: 'choice',
          text: 'appearance.theme',
          options: [
            { value: 1, text: 'appearance.theme_system' },
            { value: 3, text: 'appearance.theme_light' },
            { value: 2, text: 'appearance.theme_dark' },
          ],
        },
      ],
    },
    {
      title: 'appearance.text',
      settings: [
        {
          key: 'web_font_size_px',
          kind: 'choice',
          text: 'appearance.font_size',
          options: [12, 13, 14, 15, 16, 17, 18, 20].map((size) => ({ value: size, name: `${size}` })),
        },
        {
          key: 'web_line_height_percent',
          kind: 'choice',
          text: 'appearance.line_height',
          options: [122, 130, 140, 149, 158].map((percent) => ({
            value: percent,
            name: String(percent / 100),
          })),
        },
      ],
    },
    {
      title: 'appearance.details',
      settings: [
        {
          key: 'twenty_four_hour_time',
          kind: 'choice',
          text: 'appearance.time',
          options: [
            { value: true, text: 'appearance.time_24' },
            { value: false, text: 'appearance.time_12' },
          ],
        },
      ],
    },
    {
      title: 'appearance.lists',
      settings: [
        {
          key: 'demote_inactive_streams',
          kind: 'choice',
          text: 'appearance.inactive',
          note: 'appearance.inactive_note',
          options: [
            { value: 1, text: 'appearance.inactive_automatic' },
            { value: 2, text: 'settings.always' },
            { value: 3, text: 'settings.never' },
          ],
        },
        { key: 'starred_message_counts', kind: 'switch', text: 'appearance.starred_count' },
      ],
    },
  ],
}
