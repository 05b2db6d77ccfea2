import type { Section } from '../sections.ts'

/** The user's own sections. */
export const personalSections: readonly Section[] = [
  {
    address: 'settings/appearance',
    text: 'appearance.title',
    icon: 'eye',
    table: () => import('./appearance.ts').then(({ appearance }) => appearance),
  },
  {
    address: 'settings/preferences',
    text: 'preferences.title',
    icon: 'settings',
    table: () => import('./preferences.ts').then(({ preferences }) => preferences),
  },
]
