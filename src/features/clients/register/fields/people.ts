import { fieldViews } from '../../../kernel/profile-fields/field-view.ts'
import { pushDevicesOf } from '../../../kernel/push/devices.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { mutedUsers } from '../../../messages/muted-users/muted-users.ts'
import { alertWords } from '../../../people/alert-words/alert-words.ts'
import { presences } from '../../../people/kernel/presence/presence-view.ts'
import { fieldTypesForClients } from '../../../people/kernel/profile-fields/field-types.ts'
import { allStatuses } from '../../../people/status/status.ts'
import { seenSteps, stepsLeft } from '../../kernel/onboarding/steps.ts'
import { JsonChunks, type Registration, type Section } from '../section.ts'

export const peopleSections: Section[] = [
  { asked: ['alert_words'], fields: ({ realm, me }) => ({ alert_words: alertWords(realm, me.id) }) },
  { asked: ['muted_users'], fields: ({ realm, me }) => ({ muted_users: mutedUsers(realm, me.id) }) },
  {
    asked: ['onboarding_steps'],
    fields: ({ realm, me }) => ({
      onboarding_steps: stepsLeft(seenSteps(realm, me.id)),
      navigation_tour_video_url: null,
    }),
  },
  {
    asked: ['push_device'],
    fields: ({ realm, me }) => ({ push_devices: pushDevicesOf(realm, me.id) }),
  },
  { asked: ['user_status'], fields: ({ realm, me }) => ({ user_status: allStatuses(realm, me) }) },
  {
    asked: ['custom_profile_fields'],
    fields: ({ realm }) => ({
      custom_profile_fields: fieldViews(realm.profileFields.values()),
      custom_profile_field_types: fieldTypesForClients,
    }),
  },
  { asked: ['presence'], fields: presence },
]

function presence({ realm, me, site, slimPresence: slim, presenceHistoryDays: days }: Registration) {
  const server_timestamp = site.clock()
  if (realmSettings(realm).presence_disabled) {
    return { presences: {}, presence_last_update_id: -1, server_timestamp }
  }
  const { chunks, lastUpdateId } = presences(realm, site, me, { slim, days })
  return { presences: new JsonChunks(chunks), presence_last_update_id: lastUpdateId, server_timestamp }
}
