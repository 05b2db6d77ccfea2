import './organization.css'
import { For, Show } from 'solid-js'
import { patch, post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { users } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import type { User } from '../../../store/server-state-types.ts'
import { Dialog, laterWithTexts } from '../../parts/dialog.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { SettingFrame, useSetting } from '../parts/setting.tsx'
import { unlessOwner } from './refusals.ts'
import { roleName, roles } from './roles.ts'
import { UserFields } from './user-fields.tsx'

/** What administrators can change of a user. Each setting is saved by itself. */
export function UserDialog(props: { userId: number; close(): void }) {
  const user = () => users().get(props.userId)
  return (
    <Dialog title={user()?.full_name ?? ''} close={props.close}>
      <Show when={user()} fallback={<p>{t('card.unknown')}</p>}>
        {(one) => (
          <div class="settings set-form">
            <Name user={one()} />
            <Role user={one()} />
            <Address user={one()} />
            <UserFields userId={props.userId} />
            <Status user={one()} />
            <DeactivateButton user={one()} close={props.close} />
          </div>
        )}
      </Show>
    </Dialog>
  )
}

const pathOf = (user: User) => `/users/${user.user_id}`

function Name(props: { user: User }) {
  const setting = useSetting(
    () => users().get(props.user.user_id)?.full_name ?? '',
    (value) => patch(pathOf(props.user), { full_name: value }),
    (value) => value.trim(),
  )
  return (
    <SettingFrame setting={setting} id="user-name" isIncomplete={setting.value().trim() === ''}>
      <label>
        {t('org_users.name')}
        <input
          class="field"
          dir="auto"
          maxlength="100"
          aria-describedby="user-name"
          value={setting.value()}
          onInput={(event) => setting.set(event.currentTarget.value)}
        />
      </label>
    </SettingFrame>
  )
}

function Role(props: { user: User }) {
  const setting = useSetting(
    () => users().get(props.user.user_id)?.role ?? roles.member,
    (value) => patch(pathOf(props.user), { role: value }),
  )
  const reason = () => (props.user.role === roles.owner ? unlessOwner() : undefined)
  return (
    <SettingFrame setting={setting} id="user-role" reason={reason()} note={t(noteOf(setting.value()))}>
      <label>
        {t('org_users.role')}
        <select
          class="field"
          aria-describedby="user-role"
          disabled={reason() !== undefined}
          onChange={(event) => setting.set(Number(event.currentTarget.value))}
        >
          <For each={Object.values(roles)}>
            {(role) => (
              <option
                value={role}
                selected={setting.value() === role}
                disabled={role === roles.owner && !field('is_owner')}
              >
                {roleName(role)}
              </option>
            )}
          </For>
        </select>
      </label>
    </SettingFrame>
  )
}

const notes = {
  100: 'role_note.owner',
  200: 'role_note.admin',
  300: 'role_note.moderator',
  400: 'role_note.member',
  600: 'role_note.guest',
} as const

const noteOf = (role: number) => notes[role as keyof typeof notes] ?? 'role_note.member'

/** Only owners to whom the server's operator has given this may change addresses. */
function Address(props: { user: User }) {
  const setting = useSetting(
    () => users().get(props.user.user_id)?.delivery_email ?? '',
    (value) => patch(pathOf(props.user), { new_email: value }),
    (value) => value.trim(),
  )
  return (
    <SettingFrame setting={setting} id="user-email" reason={unlessOwner()} note={t('org_users.email_note')}>
      <label>
        {t('card.email')}
        <input
          class="field"
          type="email"
          dir="ltr"
          aria-describedby="user-email"
          disabled={unlessOwner() !== undefined}
          value={setting.value()}
          onInput={(event) => setting.set(event.currentTarget.value)}
        />
      </label>
    </SettingFrame>
  )
}

function Status(props: { user: User }) {
  const text = () => field('user_status')?.[props.user.user_id]?.status_text
  return (
    <Show when={text()}>
      {(status) => (
        <div class="form-field">
          {t('org_users.status')}
          <p dir="auto">{status()}</p>
          <p>
            <button
              type="button"
              class="button"
              onClick={() =>
                void post(`${pathOf(props.user)}/status`, { status_text: '', emoji_name: '' }).catch(
                  noticeFailure,
                )
              }
            >
              {t('org_users.clear_status')}
            </button>
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
  return (
    <div class="panel-actions">
      <button
        type="button"
        class="button danger"
        disabled={reason() !== undefined}
        title={reason()}
        onClick={() => {
          props.close()
          laterWithTexts(
            () => import('../../people/deactivate.tsx'),
            ({ Deactivate }, close) => <Deactivate user={props.user} close={close} />,
          )
        }}
      >
        {t('org_users.deactivate')}
      </button>
    </div>
  )
}
