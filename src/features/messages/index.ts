import type { Feature } from '../feature.ts'
import * as drafts from './drafts/index.ts'
import * as editing from './editing/index.ts'
import * as flags from './flags/index.ts'
import * as linkPreviews from './link-previews/index.ts'
import * as messages from './messages/index.ts'
import * as mutedUsers from './muted-users/index.ts'
import * as reactions from './reactions/index.ts'
import * as reminders from './reminders/index.ts'
import * as reports from './reports/index.ts'
import * as retention from './retention/index.ts'
import * as scheduled from './scheduled/index.ts'
import * as snippets from './snippets/index.ts'
import * as typing from './typing/index.ts'
import * as uploads from './uploads/index.ts'
import * as widgets from './widgets/index.ts'

/** Features for writing messages and acting on them. */
export const messageFeatures: Feature[] = [
  drafts,
  editing,
  flags,
  linkPreviews,
  messages,
  mutedUsers,
  reactions,
  reminders,
  reports,
  retention,
  scheduled,
  snippets,
  typing,
  uploads,
  widgets,
]
