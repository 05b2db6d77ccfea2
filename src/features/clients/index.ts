import type { Feature } from '../feature.ts'
import * as calls from './calls/index.ts'
import * as events from './events/index.ts'
import * as exports from './exports/index.ts'
import * as navigation from './navigation/index.ts'
import * as onboarding from './onboarding/index.ts'
import * as register from './register/index.ts'
import * as serverSettings from './server-settings/index.ts'
import * as storedFiles from './stored-files/index.ts'
import * as web from './web/index.ts'
import * as zcommand from './zcommand/index.ts'

/** Other features for clients. */
export const clientFeatures: Feature[] = [
  calls,
  events,
  exports,
  navigation,
  onboarding,
  register,
  serverSettings,
  storedFiles,
  web,
  zcommand,
]
