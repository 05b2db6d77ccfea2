/** The actor of a change, for the audit log: a user or the server, and the means by which they act. */
export type Actor = {
  /** The account that acts; null if nobody has logged in, or if it is no user. */
  userId: number | null
  /** With what: an API key, a session, nothing (a request without login), a command, or the server by itself. */
  means: 'key' | 'session' | 'none' | 'command' | 'server'
  /** The id of the API key or session. */
  meansId: number | null
  /** The operation with its path, as `PATCH /users/{user_id}`, or the words of the command. */
  operation: string
  /** The User-Agent. */
  client: string | null
  ip: string | null
  /** The user of the machine who runs the command. */
  osUser: string | null
}

/** The server itself: jobs, and what follows from time. */
export const serverActor: Actor = {
  userId: null,
  means: 'server',
  meansId: null,
  operation: 'server',
  client: null,
  ip: null,
  osUser: null,
}

/** Returns a command of this server as an actor. */
export function commandActor(command: string, osUser: string): Actor {
  return { ...serverActor, means: 'command', operation: command, osUser }
}
