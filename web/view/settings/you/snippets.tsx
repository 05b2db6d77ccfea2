import { t } from '../../../lib/i18n.ts'
import { SnippetEditor } from '../../compose/snippets.tsx'
import { Section } from '../parts/section.tsx'

/** Texts that the user keeps to use again; they are used beside the box in which messages are written. */
export function SavedSnippets() {
  return (
    <Section note={t('snippets.settings_note')}>
      <SnippetEditor text="" />
    </Section>
  )
}
