import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { avatarOf, me } from '../../store/people.ts'
import { openMenu } from '../parts/menu.tsx'

/** The user's picture, which opens what concerns their account. */
export function AccountMenu() {
  return (
    <Show when={me()}>
      {(user) => (
        <button
          type="button"
          class="icon-button account-button"
          aria-haspopup="menu"
          aria-label={t('rail.account')}
          onClick={({ currentTarget }) =>
            openMenu(
              currentTarget,
              user().full_name,
              import('./account-entries.ts').then(({ accountEntries }) => accountEntries()),
            )
          }
        >
          <img class="avatar" style={{ '--avatar-size': '26px' }} src={avatarOf(user().user_id)} alt="" />
        </button>
      )}
    </Show>
  )
}
