import './organization.css'
import { remove } from '../../../api/client.ts'
import { sendFile } from '../../../api/send-file.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { copy } from '../../parts/copy.ts'
import { ImageField } from '../parts/image-field.tsx'
import { Section } from '../parts/section.tsx'
import { SettingsTable } from '../parts/settings-table.tsx'
import { unlessAdministrator } from './refusals.ts'
import { profileTable } from './tables/general.ts'

/** Edits the name of the organization, and how it looks. */
export function Profile() {
  return (
    <>
      <SettingsTable screen={profileTable} />
      <Pictures />
      <Addresses />
    </>
  )
}

/** The organization's address may not be the one that the browser uses. */
function onThisServer(url: string) {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

function Pictures() {
  return (
    <Section title={t('org_pictures.title')}>
      <h4 class="set-picture">{t('org_pictures.icon')}</h4>
      <ImageField
        label={t('org_pictures.icon')}
        note={t('org_pictures.icon_note', { size: field('max_icon_file_size_mib') })}
        url={onThisServer(field('realm_icon_url'))}
        canRemove={field('realm_icon_source') === 'U'}
        ratio={1}
        reason={unlessAdministrator()}
        send={(picture) => sendFile('/realm/icon', picture)}
        remove={() => remove('/realm/icon')}
      />
      <Logo night={false} />
      <Logo night />
    </Section>
  )
}

/** The wide picture that other clients show at the top, for one of the two themes. */
function Logo(props: { night: boolean }) {
  const label = () => t(props.night ? 'org_pictures.dark_logo' : 'org_pictures.light_logo')
  return (
    <div class={props.night ? 'dark-ground' : 'light-ground'}>
      <h4 class="set-picture">{label()}</h4>
      <ImageField
        label={label()}
        note={t('org_pictures.logo_note')}
        url={onThisServer(field(props.night ? 'realm_night_logo_url' : 'realm_logo_url'))}
        canRemove={field(props.night ? 'realm_night_logo_source' : 'realm_logo_source') === 'U'}
        ratio={4}
        canFit
        reason={unlessAdministrator()}
        send={(picture) => sendFile('/realm/logo', picture, { night: props.night })}
        remove={() => remove('/realm/logo', { night: props.night })}
      />
    </div>
  )
}

function Addresses() {
  return (
    <Section title={t('org_address.title')} note={t('org_address.note')}>
      <div class="set-bar">
        <input
          class="field"
          readonly
          dir="ltr"
          aria-label={t('org_address.title')}
          value={field('realm_url')}
        />
        <ActionButton run={() => copy(field('realm_url'), t('invitations.copied'))}>
          {t('invitations.copy')}
        </ActionButton>
      </div>
      <p class="set-note">
        {t(field('realm_enable_spectator_access') ? 'org_address.public' : 'org_address.closed')}
      </p>
    </Section>
  )
}
