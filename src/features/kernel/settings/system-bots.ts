/** The bots that every organization has from the beginning. Nobody owns them, and they do not log in. */
export const systemBots = {
  notification: { email: 'notification-bot@rookery.invalid', full_name: 'Notification Bot' },
  welcome: { email: 'welcome-bot@rookery.invalid', full_name: 'Welcome Bot' },
  emailGateway: { email: 'email-gateway@rookery.invalid', full_name: 'Email Gateway' },
} as const
