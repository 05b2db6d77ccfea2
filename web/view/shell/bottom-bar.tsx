import { Show } from 'solid-js'
import { runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { linkTo, route } from '../../lib/router.ts'
import { beginTopic } from '../../store/composing.ts'
import { isReady } from '../../store/session.ts'
import { unreadTotal } from '../../store/unread.ts'
import { Icon } from '../parts/icon.tsx'
import { isDrawerOpen, openDrawer } from './drawer.tsx'

/** The way between views on a narrow screen. */
export function BottomBar() {
  const current = (view: string) => (route().view === view ? 'page' : undefined)
  return (
    <nav class="bottom-bar" aria-label={t('rail.label')}>
      <a href={linkTo({ view: 'inbox' })} aria-current={current('inbox')}>
        <Icon name="inbox" />
        {t('view.inbox')}
        <Show when={isReady() && unreadTotal() > 0}>
          <span class="count">{unreadTotal() > 999 ? '999+' : unreadTotal()}</span>
        </Show>
      </a>
      <a href={linkTo({ view: 'recent' })} aria-current={current('recent')}>
        <Icon name="recent" />
        {t('rail.recent')}
      </a>
      <button type="button" aria-expanded={isDrawerOpen()} onClick={openDrawer}>
        <Icon name="menu" />
        {t('view.channels')}
      </button>
      <button type="button" onClick={() => runAction('search')}>
        <Icon name="search" />
        {t('search.label')}
      </button>
      <button type="button" onClick={() => beginTopic()}>
        <Icon name="plus" />
        {t('topics.new')}
      </button>
    </nav>
  )
}
