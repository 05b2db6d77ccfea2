import { languageKey, t } from '../../../lib/i18n.ts'
import { areSingleKeysOn, turnSingleKeys } from '../../../lib/single-keys.ts'
import { LocalSetting } from '../parts/local.tsx'
import { Section } from '../parts/section.tsx'
import { SettingsTable } from '../parts/settings-table.tsx'
import { preferences } from './preferences.ts'

/** How the client acts, for the account and in this browser alone. */
export function Preferences() {
  return (
    <>
      <SettingsTable screen={preferences} />
      <Section title={t('preferences.here')}>
        <LocalSetting
          spec={{ key: 'single_keys', kind: 'switch', text: 'preferences.single_keys' }}
          value={areSingleKeysOn()}
          keep={(isOn) => turnSingleKeys(isOn === true)}
        />
        <LocalSetting
          spec={{
            key: 'client_language',
            kind: 'choice',
            text: 'preferences.client_language',
            options: [
              { value: '', text: 'preferences.client_language_browser' },
              { value: 'de', name: 'Deutsch' },
              { value: 'en', name: 'English' },
            ],
          }}
          value={localStorage.getItem(languageKey) ?? ''}
          keep={(language) => {
            localStorage.setItem(languageKey, String(language))
            location.reload()
          }}
        />
      </Section>
    </>
  )
}
