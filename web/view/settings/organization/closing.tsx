import './organization.css'
import { For } from 'solid-js'
import { post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { leaveBy } from '../../shell/signed-out.tsx'
import { Section } from '../parts/section.tsx'
import { unlessOwner } from './refusals.ts'

const consequences = ['closing.no_login', 'closing.data', 'closing.again'] as const

/** The end of the organization. */
export function Closing() {
  const ask = () =>
    askFirst({
      title: t('closing.action'),
      text: () => <Consequences />,
      action: t('closing.confirm'),
      typed: field('realm_name'),
      run: () => leaveBy(() => post('/realm/deactivate')),
    })
  return (
    <Section note={t('closing.note')}>
      <Consequences />
      <p>
        <ActionButton isDangerous reason={unlessOwner()} run={ask}>
          {t('closing.action')}
        </ActionButton>
      </p>
      <p class="set-note">{unlessOwner()}</p>
    </Section>
  )
}

function Consequences() {
  return (
    <ul class="set-points">
      <For each={consequences}>{(key) => <li>{t(key)}</li>}</For>
    </ul>
  )
}
