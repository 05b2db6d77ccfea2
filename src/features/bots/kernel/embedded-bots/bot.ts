/** A bot whose code is part of the server. It replies to users who write to it. */
export type EmbeddedBot = {
  /** The name by which clients choose it. */
  name: string
  /** The options that its owner may set, with their defaults. No value may be blank. */
  config: Readonly<Record<string, string>>
  /** Uses nothing except its arguments. It may be called again for a message if the server crashes in between. */
  respond(asked: BotQuestion): Answer | Promise<Answer>
}

/** A message to a bot. */
export type BotQuestion = {
  /** The text without mentions of the bot itself, trimmed. */
  text: string
  /** The sender. `mention` names them without alerting them. */
  sender: { id: number; name: string; mention: string }
  config: Readonly<Record<string, string>>
  /** Returns the bot's stored values whose keys have this prefix, by key. */
  stored(prefix: string): Promise<Record<string, string>>
}

/** The reply of a bot. It is applied as a whole or not at all. */
export type Answer = {
  /** The reply in the conversation of the question. Markdown, truncated if it is too long. */
  say?: string
  /** A message to a topic of a channel, by the channel's name. */
  post?: { channel: string; topic: string; content: string }
  /** Values to store. null deletes a value. */
  keep?: Record<string, string | null>
}
