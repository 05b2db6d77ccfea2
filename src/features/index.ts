import type { Document } from '../http/document.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { Site } from '../lib/site.ts'
import type { Consequence } from '../log/consequences.ts'
import { EventTypes } from '../queues/event-type.ts'
import * as alertWords from './people/alert-words/index.ts'
import * as avatars from './people/avatars/index.ts'
import * as bots from './bots/bots/index.ts'
import * as calls from './clients/calls/index.ts'
import * as channelActivity from './channels/channel-activity/index.ts'
import * as channelFolders from './channels/channel-folders/index.ts'
import * as channels from './channels/channels/index.ts'
import * as defaultChannelGroups from './channels/default-channel-groups/index.ts'
import * as domains from './organization/domains/index.ts'
import * as drafts from './messages/drafts/index.ts'
import * as editing from './messages/editing/index.ts'
import * as emailChange from './accounts/email-change/index.ts'
import * as emoji from './organization/emoji/index.ts'
import * as events from './clients/events/index.ts'
import * as exports from './clients/exports/index.ts'
import * as flags from './messages/flags/index.ts'
import * as groups from './people/groups/index.ts'
import * as integrations from './bots/incoming-webhooks/index.ts'
import * as invitations from './accounts/invitations/index.ts'
import * as linkifiers from './organization/linkifiers/index.ts'
import * as login from './accounts/login/index.ts'
import * as mail from './notifications/mail/index.ts'
import * as messages from './messages/messages/index.ts'
import * as missedMessages from './notifications/missed-messages/index.ts'
import * as mutedUsers from './messages/muted-users/index.ts'
import * as navigation from './clients/navigation/index.ts'
import * as onboarding from './clients/onboarding/index.ts'
import { getOpenApi } from './clients/openapi/get-openapi.ts'
import * as outgoing from './bots/outgoing-webhooks/index.ts'
import * as pages from './accounts/pages/index.ts'
import * as passwordReset from './accounts/password-reset/index.ts'
import * as pictures from './organization/pictures/index.ts'
import * as playgrounds from './organization/playgrounds/index.ts'
import * as presence from './people/presence/index.ts'
import * as profileFields from './people/profile-fields/index.ts'
import * as push from './notifications/push/index.ts'
import * as reactions from './messages/reactions/index.ts'
import * as realm from './organization/settings/index.ts'
import * as realmPictures from './organization/organization-pictures/index.ts'
import * as register from './clients/register/index.ts'
import * as reminders from './messages/reminders/index.ts'
import * as reports from './messages/reports/index.ts'
import * as retention from './messages/retention/index.ts'
import * as scheduled from './messages/scheduled/index.ts'
import * as serverSettings from './clients/server-settings/index.ts'
import * as sessions from './accounts/sessions/index.ts'
import * as signIn from './accounts/sign-in/index.ts'
import * as signOn from './accounts/sign-on/index.ts'
import * as signUp from './accounts/sign-up/index.ts'
import * as snippets from './messages/snippets/index.ts'
import * as status from './people/status/index.ts'
import * as storedFiles from './clients/stored-files/index.ts'
import * as subscriptions from './channels/subscriptions/index.ts'
import * as topics from './channels/topics/index.ts'
import * as typing from './messages/typing/index.ts'
import * as unsubscribe from './notifications/unsubscribe/index.ts'
import * as uploads from './messages/uploads/index.ts'
import * as users from './people/users/index.ts'
import * as widgets from './messages/widgets/index.ts'
import * as zcommand from './clients/zcommand/index.ts'

/** What a capability brings: operations, types of events, work that is done at some time, what is served outside the API. */
type Slice = {
  endpoints?: Endpoint[]
  eventTypes?: Parameters<EventTypes['add']>
  jobHandlers?: JobHandler[]
  documents?: Document[]
  consequences?: Consequence[] | ((site: Site) => Consequence[])
}

/** In the order in which clients hear of what follows from one change: of users first, then of what users are in. */
const slices: Slice[] = [
  users,
  subscriptions,
  groups,
  channels,
  defaultChannelGroups,
  bots,
  alertWords,
  avatars,
  calls,
  channelActivity,
  channelFolders,
  domains,
  drafts,
  editing,
  emoji,
  emailChange,
  events,
  exports,
  flags,
  invitations,
  integrations,
  linkifiers,
  login,
  mail,
  messages,
  missedMessages,
  mutedUsers,
  navigation,
  onboarding,
  outgoing,
  pages,
  passwordReset,
  pictures,
  playgrounds,
  presence,
  profileFields,
  push,
  reactions,
  realm,
  realmPictures,
  register,
  reminders,
  reports,
  retention,
  scheduled,
  serverSettings,
  signUp,
  sessions,
  signIn,
  signOn,
  snippets,
  status,
  storedFiles,
  topics,
  typing,
  unsubscribe,
  uploads,
  widgets,
  zcommand,
]

/** Every operation of the API. */
export const endpoints: Endpoint[] = [
  ...slices.flatMap(({ endpoints }) => endpoints ?? []),
  getOpenApi(() => endpoints),
]

/** What is served outside the API. */
export const documents: Document[] = slices.flatMap(({ documents }) => documents ?? [])

/** What follows from changes of rows. */
export function consequences(site: Site): Consequence[] {
  return slices.flatMap(({ consequences = [] }) =>
    typeof consequences === 'function' ? consequences(site) : consequences,
  )
}

/** All work that is done at some time. */
export const jobHandlers: JobHandler[] = slices.flatMap(({ jobHandlers }) => jobHandlers ?? [])

/** Every type of event. */
export function eventTypes(): EventTypes {
  const types = new EventTypes()
  types.add(...slices.flatMap(({ eventTypes }) => eventTypes ?? []))
  return types
}
