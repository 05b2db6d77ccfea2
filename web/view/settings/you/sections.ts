import { isFirstStart } from '../../../store/home.ts'
import type { Section } from '../sections.ts'

/** The user's own sections. */
export const personalSections: readonly Section[] = [
  {
    address: 'welcome',
    text: 'welcome.title',
    icon: 'check',
    isOffered: () => isFirstStart(),
    view: () => import('./welcome.tsx').then(({ Welcome }) => Welcome),
  },
  {
    address: 'settings/profile',
    text: 'profile.title',
    icon: 'smile',
    view: () => import('./profile.tsx').then(({ Profile }) => Profile),
    words: ['profile.name', 'profile.picture', 'profile.status', 'profile.fields'],
  },
  {
    address: 'settings/account',
    text: 'account.title',
    icon: 'lock',
    view: () => import('./account.tsx').then(({ Account }) => Account),
    words: ['account.email', 'account.password', 'account.leave'],
  },
  {
    address: 'settings/sessions',
    text: 'sessions.title',
    icon: 'globe',
    view: () => import('./sessions.tsx').then(({ Sessions }) => Sessions),
    words: ['sessions.browsers', 'sessions.keys', 'sessions.new_key'],
  },
  {
    address: 'settings/appearance',
    text: 'appearance.title',
    icon: 'eye',
    table: () => import('../tables.ts').then(({ appearance }) => appearance),
    view: () => import('./appearance-view.tsx').then(({ Appearance }) => Appearance),
    words: ['appearance.density'],
  },
  {
    address: 'settings/notifications',
    text: 'notifications.title',
    icon: 'bell',
    table: () => import('../tables.ts').then(({ notifications }) => notifications),
    view: () => import('./notifications-view.tsx').then(({ NotificationSettings }) => NotificationSettings),
    words: ['notifications.by_channel', 'notifications.here'],
  },
  {
    address: 'settings/preferences',
    text: 'preferences.title',
    icon: 'settings',
    table: () => import('../tables.ts').then(({ preferences }) => preferences),
    view: () => import('./preferences-view.tsx').then(({ Preferences }) => Preferences),
    words: ['preferences.single_keys', 'preferences.client_language'],
  },
  {
    address: 'settings/privacy',
    text: 'privacy.title',
    icon: 'spoiler',
    table: () => import('../tables.ts').then(({ privacy }) => privacy),
  },
  {
    address: 'settings/alert-words',
    text: 'alert_words.title',
    icon: 'warning',
    view: () => import('./alert-words.tsx').then(({ AlertWords }) => AlertWords),
  },
  {
    address: 'settings/muted',
    text: 'muted.title',
    icon: 'mute',
    view: () => import('./muted.tsx').then(({ Muted }) => Muted),
    words: ['muted.people', 'muted.topics'],
  },
  {
    address: 'settings/snippets',
    text: 'snippets.title',
    icon: 'snippet',
    view: () => import('./snippets.tsx').then(({ SavedSnippets }) => SavedSnippets),
  },
  {
    address: 'settings/uploads',
    text: 'uploads.title',
    icon: 'attach',
    view: () => import('./uploads.tsx').then(({ Uploads }) => Uploads),
  },
  {
    address: 'settings/bots',
    text: 'bots.title',
    icon: 'code',
    view: () => import('./bots.tsx').then(({ Bots }) => Bots),
    words: ['bots.new', 'bots.key'],
  },
  {
    address: 'settings/export',
    text: 'own_data.title',
    icon: 'down',
    view: () => import('./own-data.tsx').then(({ OwnData }) => OwnData),
  },
]
