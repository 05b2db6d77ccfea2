import './audit-log.css'
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { get, untilDone } from '../../../api/client.ts'
import type { AuditEntry, AuditPage } from '../../../lib/audit.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { ErrorText } from '../../parts/error-text.tsx'
import { keepFocus } from '../../parts/keep-focus.ts'
import { Section } from '../parts/section.tsx'
import { Entry } from './audit-entry.tsx'
import { AuditExport } from './audit-export.tsx'
import { AuditFilters, type Filter } from './audit-filters.tsx'
import { AuditRetention } from './audit-retention.tsx'
import { unlessOwner } from './refusals.ts'

type Page = AuditPage & { retention_days: number | null }

const readEntries = (filter: Filter, cursor?: string, limit = 50) =>
  get<Page>('/rookery/audit_log', { ...filter, cursor, limit })

/** Entries that one request of the export returns: as many as the API allows. */
const perRequest = 1000

/** Lists who has changed what in the organization; owners may read it. */
export function AuditLog() {
  return (
    <Show when={field('is_owner')} fallback={<p class="set-note">{unlessOwner()}</p>}>
      <Entries />
    </Show>
  )
}

function Entries() {
  const [filter, setFilter] = createSignal<Filter>({})
  const log = useLog(filter)
  return (
    <>
      <AuditFilters filter={filter()} set={setFilter} />
      <ErrorText error={log.error()} />
      <ol class="audit-entries" aria-label={t('org_section.audit_log')} aria-busy={log.isBusy()}>
        <For each={log.entries()}>{(entry) => <Entry entry={entry} />}</For>
      </ol>
      <Show when={log.entries().length === 0 && !log.isBusy()}>
        <p class="set-note">{t('audit.none')}</p>
      </Show>
      <div class="set-bar">
        <Show when={log.cursor()}>
          <ActionButton ref={keepFocus} isBusy={log.isBusy()} run={() => void log.more()}>
            {t('audit.more')}
          </ActionButton>
        </Show>
        <AuditExport read={(cursor) => untilDone(() => readEntries(filter(), cursor, perRequest))} />
      </div>
      <Section title={t('audit.retention')}>
        <AuditRetention days={log.days()} saved={log.setDays} />
      </Section>
    </>
  )
}

/** The entries that match the filter, a page at a time, the newest first. */
function useLog(filter: () => Filter) {
  const [entries, setEntries] = createSignal<AuditEntry[]>([])
  const [cursor, setCursor] = createSignal<string | null>(null)
  const [days, setDays] = createSignal<number | null>()
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(true)
  let last = 0
  async function read(after?: string) {
    const own = ++last
    setBusy(true)
    try {
      const page = await readEntries(filter(), after)
      // An earlier request may be answered later. Only the last one counts.
      if (own !== last) return
      setEntries((before) => (after === undefined ? page.entries : [...before, ...page.entries]))
      setCursor(page.next_cursor)
      setDays(page.retention_days)
      setError(undefined)
    } catch (failure) {
      if (own === last) setError(errorMessage(failure))
    } finally {
      if (own === last) setBusy(false)
    }
  }
  createEffect(on(filter, () => void read()))
  return { entries, cursor, days, setDays, error, isBusy, more: () => read(cursor() ?? undefined) }
}
