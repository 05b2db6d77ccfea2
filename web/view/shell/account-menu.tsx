import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { avatarOf, me } from '../../store/people.ts'
import { openMenu } from '../parts/menu.tsx'
import { noticeFailure } from '../parts/notices.tsx'

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
            void import('./account-entries.ts')
              .then(async ({ accountEntries }) =>
                openMenu(currentTarget, user().full_name, await accountEntries()),
              )
              .catch(noticeFailure)
          }
        >
          <img class="avatar" style={{ '--avatar-size': '26px' }} src={avatarOf(user().user_id)} alt="" />
        </button>
      )}
    </Show>
  )
}
