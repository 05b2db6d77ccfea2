import { ApiFailure } from '../api/client.ts'
import { t } from './i18n.ts'

/** Whether a request did not succeed because the server could not be reached. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 0
}

/** What an error says, as a text for the user. */
export function errorMessage(error: unknown): string {
  if (isUnreachable(error)) return t('notice.unreachable')
  return error instanceof Error ? error.message : String(error)
}
