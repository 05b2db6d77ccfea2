/** The limits of bots. */
export const botLimits = {
  /** Bots that a user who is no administrator creates in a day. */
  newBotsPerDay: 200,
  /** Characters of the keys and values in a bot's storage. */
  botStorageLength: 1_000_000,
  /** Keys in a bot's storage. */
  botStorageKeys: 10_000,
  /** Keys that the first step writes or deletes. */
  botStorageStep: 500,
  /** Characters of a key. */
  botStorageKeyLength: 500,
  /** Characters of an outgoing webhook's URL. */
  webhookUrlLength: 2_000,
  /** Characters of the JSON of a bot's configuration. */
  botConfigLength: 10_000,
} as const
