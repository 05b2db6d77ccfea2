import { Show } from 'solid-js'
import { runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { avatarOf, me } from '../../store/people.ts'
import { later } from '../parts/dialog.tsx'
import { askForNotifications, permission } from './notifications.ts'

/** How long pushes to this browser may take to end, in milliseconds. */
const signOutPatience = 3000

/** The user's picture, which opens what concerns their account. */
export function AccountMenu() {
  return (
    <Show when={me()}>
      {(user) => (
        <>
          <button
            type="button"
            class="icon-button account-button"
            popovertarget="account-menu"
            aria-label={t('rail.account')}
          >
            <img class="avatar" style={{ '--avatar-size': '26px' }} src={avatarOf(user().user_id)} alt="" />
          </button>
          <div id="account-menu" class="menu" popover="auto">
            <p class="menu-head" dir="auto">
              {user().full_name}
            </p>
            <button
              type="button"
              popovertarget="account-menu"
              onClick={() =>
                later(
                  () => import('../people/status-dialog.tsx'),
                  ({ StatusDialog }, close) => StatusDialog({ close }),
                )
              }
            >
              {t('status.title')}
            </button>
            <button type="button" popovertarget="account-menu" onClick={() => runAction('help')}>
              {t('keys.help')}
            </button>
            <Show when={permission() === 'default'}>
              <button type="button" onClick={() => void askForNotifications()}>
                {t('notifications.turn_on')}
              </button>
            </Show>
            <a href="/account">{t('rail.account')}</a>
            <form method="post" action="/logout" onSubmit={signOut}>
              <button type="submit">{t('rail.sign_out')}</button>
            </form>
          </div>
        </>
      )}
    </Show>
  )
}

/** Pushes to this browser end first. What the server does not answer soon must not keep the user signed in. */
function signOut(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
  event.preventDefault()
  const form = event.currentTarget
  const timeout = new Promise((resolve) => setTimeout(resolve, signOutPatience))
  const pushesEnd = import('../../store/push.ts').then(({ turnOffPush }) => turnOffPush())
  void Promise.race([pushesEnd.catch(() => {}), timeout]).then(() => form.submit())
}
