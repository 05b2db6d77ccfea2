import type { Feature } from '../feature.ts'
import * as bots from './bots/index.ts'
import * as incomingWebhooks from './incoming-webhooks/index.ts'
import * as outgoingWebhooks from './outgoing-webhooks/index.ts'

/** Users that are programs, and how programs reach us. */
export const botFeatures: Feature[] = [bots, incomingWebhooks, outgoingWebhooks]
