import { realmSettings } from '../../kernel/settings/settings.ts'
import { presenceLimits } from '../kernel/presence/limits.ts'
import { presenceOf } from '../kernel/presence/presence.event.ts'
import { whenNewlyShown } from '../kernel/users/newly-shown.ts'

// Announces the presence that a client gets if it registers now.
export const consequences = whenNewlyShown(({ change, after }, userId, audience) => {
  if (realmSettings(after).presence_disabled) return
  // Only logged presence: pending presence will be announced when it is written to the log.
  const seen = after.presence.logged(userId)
  const oldest = change.now - presenceLimits.presenceHistoryDays * 86_400
  if (seen && seen.connected >= oldest) change.emit(presenceOf([seen], change.now), audience)
})
