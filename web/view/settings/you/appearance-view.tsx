import { t } from '../../../lib/i18n.ts'
import { LocalSetting } from '../parts/local.tsx'
import { Section } from '../parts/section.tsx'
import { SettingsTable } from '../parts/settings-table.tsx'
import { appearance } from './appearance.ts'

/** How the client looks, for the account and in this browser alone. */
export function Appearance() {
  const root = document.documentElement
  return (
    <>
      <SettingsTable screen={appearance} />
      <Section title={t('appearance.here')}>
        <LocalSetting
          spec={{
            key: 'density',
            kind: 'choice',
            text: 'appearance.density',
            options: [
              { value: 'compact', text: 'appearance.density_compact' },
              { value: '', text: 'appearance.density_normal' },
              { value: 'roomy', text: 'appearance.density_roomy' },
            ],
          }}
          value={localStorage.getItem('rookery.density') ?? ''}
          keep={(density) => {
            localStorage.setItem('rookery.density', String(density))
            root.dataset.density = String(density)
          }}
        />
      </Section>
    </>
  )
}
