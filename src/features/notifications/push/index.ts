import { pushDeviceEvent } from '../../kernel/push/push_device.event.ts'
import { addApnsToken } from './add-apns-token.ts'
import { addFcmToken } from './add-fcm-token.ts'
import { addPushSubscription } from './add-push-subscription.ts'
import { relayDelivery } from './deliver-by-relay.ts'
import { browserDelivery } from './deliver-to-browser.ts'
import { getPushSubscriptions } from './get-push-subscriptions.ts'
import { registerPushDevice } from './register-device.ts'
import { deviceRegistrationJob } from './register-with-relay.ts'
import { removeApnsToken } from './remove-apns-token.ts'
import { removeFcmToken } from './remove-fcm-token.ts'
import { removePushSubscription } from './remove-push-subscription.ts'
import { sendTestNotification } from './test-notification.ts'

export const endpoints = [
  addApnsToken,
  addFcmToken,
  addPushSubscription,
  getPushSubscriptions,
  registerPushDevice,
  removeApnsToken,
  removeFcmToken,
  removePushSubscription,
  sendTestNotification,
]

export { consequences } from './consequences.ts'

export const eventTypes = [pushDeviceEvent]

export const jobHandlers = [deviceRegistrationJob, relayDelivery, browserDelivery]
