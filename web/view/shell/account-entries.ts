import { runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { goToHash } from '../../lib/router.ts'
import { isPermitted } from '../../store/groups.ts'
import { endKeeping } from '../../store/kept-state.ts'
import { field } from '../../store/server-state.ts'
import { editsKey } from '../message/editing.ts'
import { later } from '../parts/dialog.tsx'
import type { MenuEntry } from '../parts/menu.tsx'
import { askForNotifications, permission } from './notifications.ts'
import { noteLeaving } from './signed-out.tsx'

/** How long pushes to this browser may take to end, in milliseconds. */
const signOutPatience = 3000

/** Icons that no other screen has. */
const icons = {
  keyboard: 'M3 7h18v10H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  help: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7 .3-1 .8-1 1.7M12 17h.01',
} as const

/** Returns the entries of the menu that concern the user's account. */
export async function accountEntries(): Promise<(MenuEntry | false)[]> {
  await (await import('../../lib/more-texts.ts')).loadMoreTexts()
  return [
    {
      label: t('status.title'),
      icon: 'smile',
      run: () =>
        later(
          () => import('../people/status-dialog.tsx'),
          ({ StatusDialog }, close) => StatusDialog({ close }),
        ),
    },
    permission() === 'default' && {
      label: t('notifications.turn_on'),
      icon: 'bell',
      run: () => void askForNotifications(),
    },
    'line',
    { label: t('view.settings'), icon: 'settings', run: () => goToHash('#settings') },
    mayInvite() && {
      label: t('rail.invite'),
      icon: 'people',
      run: () => goToHash('#organization/invitations'),
    },
    'line',
    {
      label: t('keys.help'),
      icon: icons.keyboard,
      keys: '?',
      run: () => void runAction('help'),
    },
    {
      label: t('help.title'),
      icon: icons.help,
      run: () =>
        later(
          () => import('./help.tsx'),
          ({ Help }, close) => Help({ close }),
        ),
    },
    'line',
    {
      label: t('rail.organizations'),
      icon: 'globe',
      run: () => location.assign('/accounts/go'),
    },
    { label: t('rail.sign_out'), icon: 'leave', run: signOut },
  ]
}

function mayInvite() {
  return (
    !field('is_guest') &&
    (isPermitted(field('realm_can_invite_users_group')) ||
      isPermitted(field('realm_create_multiuse_invite_group')))
  )
}

/** Pushes to this browser end first, and texts are saved. What the server does not answer soon must not keep the user signed in. */
function signOut() {
  sessionStorage.removeItem(editsKey)
  const timeout = new Promise((resolve) => setTimeout(resolve, signOutPatience))
  const pushesEnd = import('../../store/push.ts').then(({ turnOffPush }) => turnOffPush())
  const textsLeave = import('../../store/drafts.ts').then(({ leaveDrafts }) => leaveDrafts())
  const ended = Promise.all([pushesEnd.catch(() => {}), textsLeave.catch(() => {}), endKeeping()])
  void Promise.race([ended, timeout]).then(() => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '/logout'
    document.body.append(form)
    noteLeaving()
    form.submit()
  })
}
