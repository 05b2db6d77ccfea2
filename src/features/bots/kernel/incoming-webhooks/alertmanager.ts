import { alertsMessage } from './alerts.ts'
import { eventIntegration } from './event-integration.ts'

export const alertmanager = eventIntegration({
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  clientName: 'Alertmanager',
  events: { firing: alertsMessage, resolved: alertsMessage },
  eventOf: ({ payload }) => payload.text('status'),
})
