import { t } from '../../../lib/i18n.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { copy } from '../../parts/copy.ts'

/** A link that the user passes on, and a button that copies it. */
export function CopiedLink(props: { url: string; copied?(): void }) {
  const copyIt = async () => {
    if (await copy(props.url, t('invitations.copied'))) props.copied?.()
  }
  return (
    <div class="copied-link">
      <input class="field set-copy" readonly aria-label={t('invitations.link')} value={props.url} />
      <ActionButton class="primary" isFirst run={copyIt}>
        {t('invitations.copy')}
      </ActionButton>
    </div>
  )
}
