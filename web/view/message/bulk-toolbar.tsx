import './bulk.css'
import { Index } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

/** Something that can be done with all that is selected. */
export type BulkAct = {
  name: string
  icon: IconName
  isDangerous?: boolean
  /** Why it cannot be done, if so. */
  refusal?: string | undefined
  run(): void
}

/** How many things are selected, what can be done with them, and the end of the selection. */
export function BulkToolbar(props: { label: string; count: number; acts: BulkAct[]; end(): void }) {
  return (
    <div class="bulk-bar" role="toolbar" aria-label={props.label}>
      <strong role="status">{t('bulk.count', { count: props.count })}</strong>
      {/* By their places: what changes about a message makes the acts anew, and a button keeps the focus. */}
      <Index each={props.acts}>
        {(act) => (
          <button
            type="button"
            class="button"
            classList={{ danger: act().isDangerous ?? false }}
            disabled={act().refusal !== undefined}
            title={act().refusal}
            onClick={() => act().run()}
          >
            <Icon name={act().icon} />
            <span>{act().name}</span>
          </button>
        )}
      </Index>
      <button
        type="button"
        class="icon-button bulk-end"
        aria-label={t('bulk.end')}
        onClick={() => props.end()}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
