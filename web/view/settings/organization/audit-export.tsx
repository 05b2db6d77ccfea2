import { createSignal } from 'solid-js'
import { type AuditEntry, csvOf } from '../../../lib/audit.ts'
import { t } from '../../../lib/i18n.ts'
import { notice, noticeFailure } from '../../parts/notices.tsx'

/** Entries that a file has at most; the command of the server writes more. */
const most = 20_000

/** Saves the entries that match the filter as a file. */
export function AuditExport(props: {
  read(cursor?: string): Promise<{ entries: AuditEntry[]; next_cursor: string | null }>
}) {
  const [isBusy, setBusy] = createSignal(false)
  async function save() {
    setBusy(true)
    try {
      const all: AuditEntry[] = []
      let cursor: string | null | undefined
      do {
        const page = await props.read(cursor ?? undefined)
        all.push(...page.entries)
        cursor = page.next_cursor
      } while (cursor !== null && all.length < most)
      download(csvOf(all))
      notice(t('audit.saved', { count: all.length }))
    } catch (error) {
      noticeFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" class="button" disabled={isBusy()} onClick={() => void save()}>
      {t('audit.save')}
    </button>
  )
}

function download(text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = 'audit-log.csv'
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
