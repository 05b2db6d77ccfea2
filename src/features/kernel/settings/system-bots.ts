/** The bots that every organization has from its creation. They have no owner and cannot log in. */
export const systemBots = {
  notification: { email: 'notification-bot@rookery.invalid', full_name: 'Notification Bot' },
  welcome: { email: 'welcome-bot@rookery.invalid', full_name: 'Welcome Bot' },
  emailGateway: { email: 'email-gateway@rookery.invalid', full_name: 'Email Gateway' },
} as const
