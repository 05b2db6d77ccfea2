import { type AuditPage, auditTable } from '../../../lib/audit.ts'
import { t } from '../../../lib/i18n.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { ErrorText } from '../../parts/error-text.tsx'
import { notice } from '../../parts/notices.tsx'
import { useSubmission } from '../../parts/submission.ts'

/** The entries after which a file ends, with a notice. The command of the server writes more. */
const mostSaved = 200_000

/** Saves the entries that match the filter as a file. */
export function AuditExport(props: { read(cursor?: string): Promise<AuditPage> }) {
  const { isBusy, error, run } = useSubmission()
  async function save() {
    const { parts, count, isWhole } = await auditTable(props.read, mostSaved)
    download(parts)
    notice(t(isWhole ? 'audit.saved' : 'audit.saved_part', { count }))
  }
  return (
    <>
      <ActionButton isBusy={isBusy()} run={() => void run(save)}>
        {t('audit.save')}
      </ActionButton>
      <ErrorText error={error()} />
    </>
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
