import type { Component } from './component.ts'

/**
 * The limit because of which a request was refused: the number of requests of the node, of an organization or of a user; of registrations
 * (`large`), or of searches and the like (`heavy`); or the number of connections.
 */
export type Excess = 'node' | 'organization' | 'user' | 'large' | 'heavy' | 'connections'

/** Receives what monitoring counts and measures. Each call takes a microsecond or two, as some come with every request. */
export type Observer = {
  /**
   * A request has ended. `operation`: as declared, never a path that a client chose; `status`: `closed` if the client left
   * before the response; `waits`: whether it may wait for events, so that its time says nothing.
   */
  answered(request: { operation: string; status: string; seconds: number; waits: boolean }): void
  /** A request was refused because too many are under way. */
  refused(excess: Excess): void
  /** Events were written to all clients that waited for them, this many seconds after this node knew of them. */
  delivered(seconds: number): void
  /** A login was made, or refused. */
  login(method: string, outcome: 'accepted' | 'refused'): void
  /** A mail came in, and was posted, before or now; or dropped, refused, or not taken because something failed. */
  mailed(outcome: 'posted' | 'repeated' | 'dropped' | 'refused' | 'failed'): void
  /** An external service failed; or, for `server`, work in the background for a reason of our own. */
  failed(component: Component | 'server'): void
}
