import './organization.css'
import { Show } from 'solid-js'
import { patch, post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { users } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import type { User } from '../../../store/server-state-types.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { laterWithTexts } from '../../parts/dialog.tsx'
import { Dialog } from '../../parts/dialog-panel.tsx'
import { Known } from '../../parts/known.tsx'
import { TextSetting } from '../parts/field-settings.tsx'
import { useSetting } from '../parts/setting.tsx'
import { NameSetting, RoleSetting } from './account-settings.tsx'
import { unlessOwner } from './refusals.ts'
import { roles } from './roles.ts'
import { UserFields } from './user-fields.tsx'

/** Edits a user, for administrators. Each setting is saved by itself. */
export function UserDialog(props: { userId: number; close(): void }) {
  const user = () => users().get(props.userId)
  return (
    <Dialog title={user()?.full_name ?? ''} close={props.close}>
      <Known thing={user()} fallback={<p>{t('card.unknown')}</p>}>
        {(one) => (
          <div class="settings set-form">
            <NameSetting userId={props.userId} path={pathOf(one())} />
            <Role user={one()} />
            <Address user={one()} />
            <UserFields userId={props.userId} />
            <Status user={one()} />
            <DeactivateButton user={one()} close={props.close} />
          </div>
        )}
      </Known>
    </Dialog>
  )
}

const pathOf = (user: User) => `/users/${user.user_id}`

function Role(props: { user: User }) {
  return (
    <RoleSetting
      userId={props.user.user_id}
      path={pathOf(props.user)}
      note={(role) => t(notes[role as keyof typeof notes] ?? 'role_note.member')}
    />
  )
}

const notes = {
  100: 'role_note.owner',
  200: 'role_note.admin',
  300: 'role_note.moderator',
  400: 'role_note.member',
  600: 'role_note.guest',
} as const

/** Only owners to whom the server's operator has given this may change addresses. */
function Address(props: { user: User }) {
  const setting = useSetting(
    () => users().get(props.user.user_id)?.delivery_email ?? '',
    (value) => patch(pathOf(props.user), { new_email: value }),
    (value) => value.trim(),
  )
  return (
    <TextSetting
      setting={setting}
      label={t('card.email')}
      reason={unlessOwner()}
      note={t('org_users.email_note')}
      type="email"
      isCode
    />
  )
}

function Status(props: { user: User }) {
  const text = () => field('user_status')?.[props.user.user_id]?.status_text
  const clear = () => post(`${pathOf(props.user)}/status`, { status_text: '', emoji_name: '' })
  return (
    <Show when={text()}>
      {(status) => (
        <div class="form-field">
          {t('org_users.status')}
          <p dir="auto">{status()}</p>
          <p>
            <ActionButton run={clear}>{t('org_users.clear_status')}</ActionButton>
          </p>
        </div>
      )}
    </Show>
  )
}

function DeactivateButton(props: { user: User; close(): void }) {
  const reason = () => {
    if (props.user.user_id === currentState().user_id) return t('org_users.not_yourself')
    return props.user.role === roles.owner ? unlessOwner() : undefined
  }
  const open = () => {
    props.close()
    laterWithTexts(
      () => import('../../people/deactivate.tsx'),
      ({ Deactivate }, close) => <Deactivate user={props.user} close={close} />,
    )
  }
  return (
    <div class="panel-actions">
      <ActionButton reason={reason()} isDangerous run={open}>
        {t('org_users.deactivate')}
      </ActionButton>
    </div>
  )
}
