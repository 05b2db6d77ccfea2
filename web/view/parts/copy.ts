import { copyText } from '../../lib/copy-text.ts'
import { t } from '../../lib/i18n.ts'
import { notice, noticeFailure } from './notices.tsx'

/** Copies a text, and says so. Returns whether it succeeded. */
export async function copy(text: string, done = t('menu.link_copied')): Promise<boolean> {
  try {
    await copyText(text)
    notice(done)
    return true
  } catch (error) {
    noticeFailure(error)
    return false
  }
}
