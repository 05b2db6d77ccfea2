import './organization.css'
import { createSignal, For } from 'solid-js'
import { post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { endKeeping } from '../../../store/kept-state.ts'
import { field } from '../../../store/server-state.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Section } from '../parts/section.tsx'
import { unlessOwner } from './refusals.ts'

const consequences = ['closing.no_login', 'closing.data', 'closing.again'] as const

/** The end of the organization. */
export function Closing() {
  return (
    <Section note={t('closing.note')}>
      <ul class="set-points">
        <For each={consequences}>{(key) => <li>{t(key)}</li>}</For>
      </ul>
      <p>
        <button
          type="button"
          class="button danger"
          disabled={!field('is_owner')}
          onClick={() => openDialog((close) => <ClosingDialog close={close} />)}
        >
          {t('closing.action')}
        </button>
      </p>
      <p class="set-note">{unlessOwner()}</p>
    </Section>
  )
}

function ClosingDialog(props: { close(): void }) {
  const [typed, setTyped] = createSignal('')
  return (
    <FormDialog
      title={t('closing.action')}
      action={t('closing.confirm')}
      isDangerous
      isIncomplete={typed().trim() !== field('realm_name')}
      send={() =>
        post('/realm/deactivate')
          .then(endKeeping)
          .then(() => location.assign('/login'))
      }
      close={props.close}
    >
      <ul class="set-points">
        <For each={consequences}>{(key) => <li>{t(key)}</li>}</For>
      </ul>
      <label>
        {t('closing.type', { name: field('realm_name') })}
        <input
          class="field"
          dir="auto"
          autofocus
          autocomplete="off"
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
    </FormDialog>
  )
}
