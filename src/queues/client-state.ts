/** What a client holds: the fields of the answer of POST /register. */
// biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire says
export type ClientState = Record<string, any>

/** The effect of events about data that is not part of a client's state. */
export function leavesState() {}
