import type { Feature } from '../feature.ts'
import * as digests from './digests/index.ts'
import * as mail from './mail/index.ts'
import * as missedMessages from './missed-messages/index.ts'
import * as push from './push/index.ts'
import * as unsubscribe from './unsubscribe/index.ts'

/** Notifications about missed messages, and digests. */
export const notificationFeatures: Feature[] = [mail, missedMessages, digests, push, unsubscribe]
