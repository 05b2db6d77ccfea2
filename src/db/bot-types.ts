/** The values of `account.bot_type`. Incoming webhook bots only send messages. */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const
