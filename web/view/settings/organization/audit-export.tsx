import { createSignal } from 'solid-js'
import { type AuditPage, auditTable } from '../../../lib/audit.ts'
import { t } from '../../../lib/i18n.ts'
import { notice, noticeFailure } from '../../parts/notices.tsx'

/** The entries after which a file ends, with a notice. The command of the server writes more. */
const mostSaved = 200_000

/** Saves the entries that match the filter as a file. */
export function AuditExport(props: { read(cursor?: string): Promise<AuditPage> }) {
  const [isBusy, setBusy] = createSignal(false)
  async function save() {
    setBusy(true)
    try {
      const { parts, count, isWhole } = await auditTable(props.read, mostSaved)
      download(parts)
      notice(t(isWhole ? 'audit.saved' : 'audit.saved_part', { count }))
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

function download(parts: string[]) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }))
  link.download = 'audit-log.csv'
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
