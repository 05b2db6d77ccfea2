import { runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { hintOf } from '../../lib/keys.ts'
import { Icon } from '../parts/icon.tsx'

/** Looks like the field that it opens. */
export function SearchButton() {
  return (
    <button type="button" class="button rail-search" onClick={() => runAction('search')}>
      <Icon name="search" />
      <span class="rail-text">{t('search.label')}</span>
      <kbd>{hintOf('search')}</kbd>
    </button>
  )
}
