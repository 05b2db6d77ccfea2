import { ApiFailure } from '../api/client.ts'
import { type TextKey, t } from './i18n.ts'

/** Whether a request did not succeed because the server could not be reached. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 0
}

/** The words of Chromium, Firefox, WebKit, and of the build for styles. */
const missing = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

/**
 * Whether a part of the client could not be loaded. Browsers remember that until the page is reloaded, and after an upgrade the
 * server may have the parts of another version.
 */
export function isPartMissing(error: unknown): boolean {
  return error instanceof Error && missing.test(error.message)
}

/** An error whose text is for the user, in their language. */
export class ShownError extends Error {}

/** Errors that the API words alike for several causes, and the text for the user. */
const unclear: Record<string, TextKey> = {
  'Invalid message(s)': 'message.gone',
  'Invalid channel ID': 'refused.unknown',
}

/** Returns the text of an error for the user. The words of a program are for the console. */
export function errorMessage(error: unknown): string {
  if (isUnreachable(error)) return t('notice.unreachable')
  if (isPartMissing(error)) return t('notice.part_missing')
  if (typeof error === 'string') return error
  if (error instanceof ApiFailure || error instanceof ShownError) {
    const key = unclear[error.message]
    return key ? t(key) : error.message
  }
  console.error(error)
  return t('notice.error')
}
