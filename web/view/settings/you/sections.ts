import type { Section } from '../sections.ts'

/** The user's own sections. */
export const personalSections: readonly Section[] = [
  {
    address: 'settings/appearance',
    text: 'appearance.title',
    icon: 'eye',
    table: () => import('./appearance.ts').then(({ appearance }) => appearance),
    view: () => import('./appearance-view.tsx').then(({ Appearance }) => Appearance),
    words: ['appearance.density'],
  },
  {
    address: 'settings/notifications',
    text: 'notifications.title',
    icon: 'bell',
    table: () => import('./notifications.ts').then(({ notifications }) => notifications),
    view: () => import('./notifications-view.tsx').then(({ NotificationSettings }) => NotificationSettings),
    words: ['notifications.by_channel', 'notifications.here'],
  },
  {
    address: 'settings/preferences',
    text: 'preferences.title',
    icon: 'settings',
    table: () => import('./preferences.ts').then(({ preferences }) => preferences),
    view: () => import('./preferences-view.tsx').then(({ Preferences }) => Preferences),
    words: ['preferences.single_keys', 'preferences.client_language'],
  },
  {
    address: 'settings/privacy',
    text: 'privacy.title',
    icon: 'lock',
    table: () => import('./privacy.ts').then(({ privacy }) => privacy),
  },
]
