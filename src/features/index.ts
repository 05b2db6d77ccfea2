import type { Document } from '../http/document.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { Site } from '../lib/site.ts'
import type { Consequence } from '../log/consequences.ts'
import { EventTypes } from '../queues/event-type.ts'
import * as alertWords from './alert-words/index.ts'
import * as avatars from './avatars/index.ts'
import * as bots from './bots/index.ts'
import * as calls from './calls/index.ts'
import * as channelActivity from './channel-activity/index.ts'
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
import * as mail from './mail/index.ts'
import * as messages from './messages/index.ts'
import * as missedMessages from './missed-messages/index.ts'
import * as mutedUsers from './muted-users/index.ts'
import * as navigation from './navigation/index.ts'
import * as onboarding from './onboarding/index.ts'
import { getOpenApi } from './openapi/get-openapi.ts'
import * as outgoing from './outgoing/index.ts'
import * as pages from './pages/index.ts'
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
import * as reports from './reports/index.ts'
import * as retention from './retention/index.ts'
import * as scheduled from './scheduled/index.ts'
import * as serverSettings from './server-settings/index.ts'
import * as sessions from './sessions/index.ts'
import * as signIn from './sign-in/index.ts'
import * as signOn from './sign-on/index.ts'
import * as signUp from './sign-up/index.ts'
import * as snippets from './snippets/index.ts'
import * as status from './status/index.ts'
import * as storedFiles from './stored-files/index.ts'
import * as subscriptions from './subscriptions/index.ts'
import * as topics from './topics/index.ts'
import * as typing from './typing/index.ts'
import * as unsubscribe from './unsubscribe/index.ts'
import * as uploads from './uploads/index.ts'
import * as users from './users/index.ts'
import * as widgets from './widgets/index.ts'
import * as zcommand from './zcommand/index.ts'

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
