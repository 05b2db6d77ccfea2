import { subscriptionEvent } from '../kernel/subscriptions/subscription.event.ts'
import { getSubscribers } from './get-subscribers.ts'
import { getSubscriptionStatus } from './get-subscription-status.ts'
import { getSubscriptions } from './get-subscriptions.ts'
import { subscribe } from './subscribe.ts'
import { unsubscribeByRequest } from './unsubscribe.ts'
import { updateSubscriptionProperties } from './update-subscription-properties.ts'
import { updateSubscriptionProperty } from './update-subscription-property.ts'
import { updateSubscriptions } from './update-subscriptions.ts'

export const endpoints = [
  getSubscribers,
  getSubscriptionStatus,
  getSubscriptions,
  subscribe,
  unsubscribeByRequest,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
  updateSubscriptions,
]

export const eventTypes = [subscriptionEvent]

export { consequences } from './consequences.ts'
