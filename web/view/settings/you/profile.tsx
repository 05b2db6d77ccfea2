import { For, Show } from 'solid-js'
import { patch, remove } from '../../../api/client.ts'
import { sendFile } from '../../../api/send-file.ts'
import { t } from '../../../lib/i18n.ts'
import { avatarOf, me } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { later } from '../../parts/dialog.tsx'
import { TextControl } from '../parts/controls.tsx'
import { ImageField } from '../parts/image-field.tsx'
import { Section } from '../parts/section.tsx'
import { useSetting } from '../parts/setting.tsx'
import { ProfileFieldRow } from './profile-field.tsx'

/** Edits the user's name, picture and status, and the fields of the organization. */
export function Profile() {
  const mayChange = (setting: 'realm_name_changes_disabled' | 'realm_avatar_changes_disabled') =>
    field(setting) && !field('is_admin') ? t('profile.disabled') : undefined
  const name = useSetting(
    () => me()?.full_name ?? '',
    (value) => patch('/settings', { full_name: value }),
    (value) => value.trim(),
  )
  const fields = () => [...(field('custom_profile_fields') ?? [])].sort((a, b) => a.order - b.order)
  return (
    <>
      <ImageField
        label={t('profile.picture')}
        url={avatarOf(currentState().user_id)}
        canRemove={field('avatar_source') === 'U'}
        send={(picture) => sendFile('/users/me/avatar', picture)}
        remove={() => remove('/users/me/avatar')}
        reason={mayChange('realm_avatar_changes_disabled')}
        ratio={1}
        isRound
      />
      <Section>
        <TextControl
          key="full_name"
          label={t('profile.name')}
          spec={{ key: 'full_name', kind: 'text', text: 'profile.name', max: 100, isRequired: true }}
          setting={name}
          reason={mayChange('realm_name_changes_disabled')}
        />
      </Section>
      <Status />
      <Show when={fields().length > 0}>
        <Section title={t('profile.fields')}>
          <For each={fields().map(({ id }) => id)}>{(id) => <ProfileFieldRow fieldId={id} />}</For>
        </Section>
      </Show>
    </>
  )
}

function Status() {
  const change = () =>
    later(
      () => import('../../people/status-dialog.tsx'),
      ({ StatusDialog }, close) => StatusDialog({ close }),
    )
  return (
    <Section
      title={t('profile.status')}
      tools={<ActionButton run={change}>{t('profile.change_status')}</ActionButton>}
    >
      <p class="set-note" dir="auto">
        {field('user_status')?.[currentState().user_id]?.status_text || t('profile.no_status')}
      </p>
    </Section>
  )
}
