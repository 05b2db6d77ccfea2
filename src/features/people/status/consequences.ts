import { whenNewlyShown } from '../kernel/users/newly-shown.ts'
import { statusView } from './status.ts'
import { statusChanged } from './user_status.event.ts'

export const consequences = whenNewlyShown(({ change, after }, userId, audience) => {
  const status = after.statuses.get(userId)
  if (status) change.emit(statusChanged(userId, statusView(status)), audience)
})
