/** A bot whose code is part of the server: it answers whoever speaks to it. */
export type EmbeddedBot = {
  /** By which clients choose it. */
  name: string
  /** What its owner may set, each with what holds otherwise; no value may be blank. */
  config: Readonly<Record<string, string>>
  /** Reaches nothing but what it is given. It may be asked again about a message, if the server dies meanwhile. */
  respond(asked: BotQuestion): Answer | Promise<Answer>
}

/** What somebody says to a bot. */
export type BotQuestion = {
  /** Without the mentions of the bot itself, trimmed. */
  text: string
  /** Who says it; `mention` names them without alerting them. */
  sender: { id: number; name: string; mention: string }
  config: Readonly<Record<string, string>>
  /** What the bot keeps: the values whose keys begin so, by key. */
  stored(prefix: string): Promise<Record<string, string>>
}

/** What a bot does in return. It happens as a whole or not at all. */
export type Answer = {
  /** Said where the bot was asked. Markdown, cut if it is too long. */
  say?: string
  /** Said in a topic of a channel, by its name. */
  post?: { channel: string; topic: string; content: string }
  /** What is kept from now on; null: no longer. */
  keep?: Record<string, string | null>
}
