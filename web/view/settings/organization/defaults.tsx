import './organization.css'
import { createResource, For, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import { valueIn } from '../../parts/value-in.ts'
import type { Screen } from '../parts/declare.ts'
import { SettingsTable } from '../parts/settings-table.tsx'
import { personalSections } from '../you/sections.ts'

type Named = { title: string; screen: Screen }

/** The settings with which new users begin: those of the user's own screens that the organization may choose. */
export function Defaults() {
  const [screens] = createResource(loadScreens)
  return (
    <>
      <p class="set-note">{t('org_defaults.note')}</p>
      <ErrorText error={screens.error} />
      <Show when={valueIn(screens)}>
        {(all) => (
          <For each={all()}>
            {({ title, screen }) => (
              <>
                <h3 class="set-part">{title}</h3>
                <SettingsTable screen={screen} />
              </>
            )}
          </For>
        )}
      </Show>
    </>
  )
}

async function loadScreens(): Promise<Named[]> {
  const all = await Promise.all(
    personalSections.map(async ({ text, table }) => {
      const screen = await table?.()
      return screen ? [{ title: t(text), screen: forNewUsers(screen) }] : []
    }),
  )
  return all.flat().filter(({ screen }) => screen.groups.length > 0)
}

/** The settings of a screen that have a default, to be read and changed there. */
function forNewUsers(screen: Screen): Screen {
  const defaults = field('realm_user_settings_defaults')
  const groups = screen.groups
    .map((group) => ({ ...group, settings: group.settings.filter(({ key }) => key in defaults) }))
    .filter(({ settings }) => settings.length > 0)
  return { scope: 'new_users', groups: screen.scope === 'user' ? groups : [] }
}
