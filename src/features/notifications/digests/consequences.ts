import type { RealmRow } from '../../../db/schema.ts'
import type { Consequence } from '../../../log/consequences.ts'
import { realmSettingDefaults } from '../../kernel/settings/settings.ts'
import { scheduleDigests } from './schedule-digests.ts'

/** Schedules digests anew when an organization turns them on or off, or chooses another weekday. */
export const consequences: Consequence[] = [
  {
    of: ['realm'],
    async write({ change, after: state, rows }) {
      for (const { before, after } of rows('realm')) {
        if (after && choiceOf(before) !== choiceOf(after)) await scheduleDigests(change, state, change.now)
      }
    },
  },
]

/** Returns the weekday of the digests, or undefined if there are none. */
function choiceOf(row: RealmRow | null): number | undefined {
  const { digest_emails_enabled, digest_weekday } = { ...realmSettingDefaults, ...row?.settings }
  return digest_emails_enabled ? digest_weekday : undefined
}
