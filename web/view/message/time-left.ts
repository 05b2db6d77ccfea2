import { t } from '../../lib/i18n.ts'
import { now } from '../parts/clock.ts'
import type { Deadline } from './permissions.ts'

/** How long something is still allowed, in words; empty without a limit. */
export function timeLeft(deadline: Deadline): string {
  if (deadline === undefined || deadline === Infinity) return ''
  // The clock may be half a minute behind, which would promise more than there is.
  const seconds = Math.max(0, deadline - Math.max(now(), Date.now() / 1000))
  if (seconds > 86_400) return ''
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes > 90
    ? t('menu.hours_left', { count: Math.round(minutes / 60) })
    : t('menu.minutes_left', { count: minutes })
}
