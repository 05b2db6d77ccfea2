import './groups.css'
import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { groupOf } from '../../store/groups.ts'
import { Icon } from '../parts/icon.tsx'
import { GroupList } from './group-list.tsx'
import { GroupPage } from './group-page.tsx'

/** The user groups, or one of them: `#groups`, `#groups/12`. */
export function Groups(props: { rest: string[] }) {
  const id = () => Number(props.rest[0] ?? Number.NaN)
  return (
    <Show when={props.rest.length > 0} fallback={<GroupList />}>
      <a class="group-back" href="#groups">
        <Icon name="back" />
        {t('groups.all')}
      </a>
      <Show when={groupOf(id()) && id()} keyed fallback={<p role="alert">{t('groups.unknown')}</p>}>
        {(shown) => <GroupPage groupId={shown} />}
      </Show>
    </Show>
  )
}
