/** The state of a client: the fields of the response of POST /register. */
// biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire says
export type ClientState = Record<string, any>

/** The effect of events about data that is not part of a client's state. */
export function leavesState() {}
