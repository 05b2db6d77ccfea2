import type { JSX } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { Icon } from '../parts/icon.tsx'
import { isDrawerOpen, openDrawer } from './drawer.tsx'

/** The head of a view: its title, and what can be done with the whole of it. */
export function ViewHead(props: { title: JSX.Element; children?: JSX.Element }) {
  return (
    <header class="view-head">
      <button
        type="button"
        class="icon-button rail-opener"
        aria-label={t('rail.open')}
        aria-expanded={isDrawerOpen()}
        onClick={openDrawer}
      >
        <Icon name="menu" />
      </button>
      <h1>{props.title}</h1>
      <div class="view-tools">{props.children}</div>
    </header>
  )
}
