/** The attributes of a step: names and numbers, never text of users. */
export type TraceAttributes = Record<string, string | number | boolean>

/** How a request has ended. */
export type TracedEnd = { operation: string; status: string }

/** Records which steps the work of a node consists of, and how long each takes. Absent where that is not configured. */
export type Tracer = {
  /**
   * Runs `go` as a request, and returns the function that ends it. Steps that begin in `go`, or in what follows from it,
   * belong to the request. `parent`: the header traceparent of a client that traces, too.
   */
  request(parent: string | undefined, go: () => void, attributes: TraceAttributes): (end: TracedEnd) => void
  /** Does work as a step of the request or work that is under way, or by itself. */
  step<T>(name: string, attributes: TraceAttributes, work: () => Promise<T>): Promise<T>
}

/** Does work as a step, if steps are recorded. */
export function traced<T>(
  tracer: Tracer | undefined,
  name: string,
  attributes: TraceAttributes,
  work: () => Promise<T>,
): Promise<T> {
  return tracer ? tracer.step(name, attributes, work) : work()
}
