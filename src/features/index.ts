import type { Document } from '../http/document.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { JobHandler } from '../jobs/job.ts'
import { EventTypes } from '../queues/event-type.ts'
import * as alertWords from './alert-words/index.ts'
import * as avatars from './avatars/index.ts'
import * as bots from './bots/index.ts'
import * as calls from './calls/index.ts'
import * as channelFolders from './channel-folders/index.ts'
import * as channels from './channels/index.ts'
import * as defaultChannelGroups from './default-channel-groups/index.ts'
import * as domains from './domains/index.ts'
import * as drafts from './drafts/index.ts'
import * as editing from './editing/index.ts'
import * as emailChange from './email-change/index.ts'
import * as emoji from './emoji/index.ts'
import * as events from './events/index.ts'
import * as exports from './exports/index.ts'
import * as flags from './flags/index.ts'
import * as groups from './groups/index.ts'
import * as integrations from './integrations/index.ts'
import * as invitations from './invitations/index.ts'
import * as linkifiers from './linkifiers/index.ts'
import * as login from './login/index.ts'
import { delivery as mailDelivery } from './mail/deliver-mail.ts'
import { loginNotices } from './mail/login-notice.ts'
import * as messages from './messages/index.ts'
import { missedMailing } from './missed-messages/mail-missed.ts'
import * as mutedUsers from './muted-users/index.ts'
import * as navigation from './navigation/index.ts'
import * as onboarding from './onboarding/index.ts'
import { getOpenApi } from './openapi/get-openapi.ts'
import { outgoingDelivery } from './outgoing/deliver-outgoing.ts'
import { stylesheet } from './pages/style.ts'
import * as passwordReset from './password-reset/index.ts'
import * as pictures from './pictures/index.ts'
import * as playgrounds from './playgrounds/index.ts'
import * as presence from './presence/index.ts'
import * as profileFields from './profile-fields/index.ts'
import * as push from './push/index.ts'
import * as reactions from './reactions/index.ts'
import * as realm from './realm/index.ts'
import * as realmPictures from './realm-pictures/index.ts'
import * as register from './register/index.ts'
import * as reminders from './reminders/index.ts'
import { reminding } from './reminders/remind.ts'
import * as reports from './reports/index.ts'
import { retention } from './retention/expire-messages.ts'
import { scheduledDelivery } from './scheduled/deliver-scheduled.ts'
import * as scheduled from './scheduled/index.ts'
import * as serverSettings from './server-settings/index.ts'
import * as sessions from './sessions/index.ts'
import * as signIn from './sign-in/index.ts'
import * as signOn from './sign-on/index.ts'
import * as signUp from './sign-up/index.ts'
import * as snippets from './snippets/index.ts'
import * as status from './status/index.ts'
import * as subscriptions from './subscriptions/index.ts'
import * as topics from './topics/index.ts'
import * as typing from './typing/index.ts'
import * as unsubscribe from './unsubscribe/index.ts'
import * as uploads from './uploads/index.ts'
import { loadingPicture } from './uploads/loading-picture.ts'
import * as users from './users/index.ts'
import { systemBotAvatars } from './users/system-bot-avatars.ts'
import * as widgets from './widgets/index.ts'
import * as zcommand from './zcommand/index.ts'

/** Every operation of the API. */
export const endpoints: Endpoint[] = [
  ...alertWords.endpoints,
  ...avatars.endpoints,
  ...bots.endpoints,
  ...calls.endpoints,
  ...channelFolders.endpoints,
  ...channels.endpoints,
  ...defaultChannelGroups.endpoints,
  ...domains.endpoints,
  ...drafts.endpoints,
  ...editing.endpoints,
  ...emoji.endpoints,
  ...emailChange.endpoints,
  ...events.endpoints,
  ...exports.endpoints,
  ...flags.endpoints,
  ...groups.endpoints,
  ...invitations.endpoints,
  ...integrations.endpoints,
  ...linkifiers.endpoints,
  ...login.endpoints,
  ...messages.endpoints,
  ...mutedUsers.endpoints,
  ...navigation.endpoints,
  ...onboarding.endpoints,
  ...passwordReset.endpoints,
  ...pictures.endpoints,
  ...playgrounds.endpoints,
  ...presence.endpoints,
  ...profileFields.endpoints,
  ...push.endpoints,
  ...reactions.endpoints,
  ...realm.endpoints,
  ...realmPictures.endpoints,
  ...register.endpoints,
  ...reminders.endpoints,
  ...reports.endpoints,
  ...scheduled.endpoints,
  ...serverSettings.endpoints,
  ...signUp.endpoints,
  ...sessions.endpoints,
  ...signIn.endpoints,
  ...signOn.endpoints,
  ...snippets.endpoints,
  ...status.endpoints,
  ...subscriptions.endpoints,
  ...topics.endpoints,
  ...typing.endpoints,
  ...unsubscribe.endpoints,
  ...uploads.endpoints,
  ...users.endpoints,
  ...widgets.endpoints,
  ...zcommand.endpoints,
  getOpenApi(() => endpoints),
]

/** What is served outside the API. */
export const documents: Document[] = [
  ...systemBotAvatars,
  ...emoji.documents,
  ...pictures.documents,
  stylesheet,
  loadingPicture,
]

/** All work that is done at some time. */
export const jobHandlers: JobHandler[] = [
  retention,
  scheduledDelivery,
  reminding,
  mailDelivery,
  loginNotices,
  missedMailing,
  outgoingDelivery(),
  ...push.jobHandlers,
  ...uploads.jobHandlers,
  ...exports.jobHandlers,
]

/** Every type of event. */
export function eventTypes(): EventTypes {
  const types = new EventTypes()
  types.add(
    ...alertWords.eventTypes,
    ...bots.eventTypes,
    ...channelFolders.eventTypes,
    ...channels.eventTypes,
    ...defaultChannelGroups.eventTypes,
    ...domains.eventTypes,
    ...drafts.eventTypes,
    ...editing.eventTypes,
    ...emoji.eventTypes,
    ...exports.eventTypes,
    ...flags.eventTypes,
    ...groups.eventTypes,
    ...invitations.eventTypes,
    ...linkifiers.eventTypes,
    ...messages.eventTypes,
    ...mutedUsers.eventTypes,
    ...navigation.eventTypes,
    ...onboarding.eventTypes,
    ...playgrounds.eventTypes,
    ...presence.eventTypes,
    ...profileFields.eventTypes,
    ...push.eventTypes,
    ...reactions.eventTypes,
    ...realm.eventTypes,
    ...reminders.eventTypes,
    ...scheduled.eventTypes,
    ...snippets.eventTypes,
    ...status.eventTypes,
    ...subscriptions.eventTypes,
    ...topics.eventTypes,
    ...typing.eventTypes,
    ...uploads.eventTypes,
    ...users.eventTypes,
    ...widgets.eventTypes,
  )
  return types
}
