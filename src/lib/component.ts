/** The name of an external service that the server needs, as in responses, logs and the guide (docs/guide). */
export type Component =
  | 'database'
  | 'database replica'
  | 'file store'
  | 'mail server'
  | 'directory'
  | 'sign-on service'
  | 'push relay'
  | 'NATS'
  | 'trace collector'
  | 'Zoom'
  | 'BigBlueButton'

/**
 * The error that an external service does not work now, and may work later. The message names the service, in sentences for users: a request
 * that depends on it gets this message with 503. `cause` has the reason, for the log.
 */
export class ComponentError extends Error {
  override name = 'ComponentError'
  readonly component: Component

  constructor(component: Component, message: string, cause?: unknown) {
    super(message, { cause })
    this.component = component
  }
}

/**
 * Returns the component that an error is about; undefined for an error of our own. Errors of libraries are recognized
 * by their code.
 */
export function componentError(error: unknown): ComponentError | undefined {
  if (error instanceof ComponentError) return error
  if (isOfDatabase(error)) return unavailable('database', error)
  return isOfDisk(error) ? unavailable('file store', error) : undefined
}

export function unavailable(component: Component, cause: unknown) {
  return new ComponentError(component, textFor(component), cause)
}

/** For users, whom the reason does not concern. */
function textFor(component: Component) {
  return `The ${component} is not available. Try again in a moment.`
}

/** Returns the fault of a component, for the log: the first error, without its consequences. */
export function reasonOf({ component, message, cause }: ComponentError): string {
  const parts = message === textFor(component) && cause instanceof Error ? [] : [message]
  for (let inner = cause; inner instanceof Error; inner = inner.cause) parts.push(textOf(inner))
  const all = [...new Set(parts)]
  // A library may wrap an error in another one with the same text and more.
  return all.filter((part) => !all.some((other) => other !== part && other.includes(part))).join(' ')
}

// A name with several addresses fails once for each, and the error itself has no text.
function textOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => textOf(one as Error)).join(', ')
  const { code } = error as NodeJS.ErrnoException
  return code === undefined || error.message.includes(code) ? error.message : `${code}: ${error.message}`
}

/**
 * SQLSTATEs that mean that the database does not work, rather than that a statement is wrong: 08 connection, 28 login, 3D and 3F no such
 * database or schema, 40 conflict with another transaction, 53 resources, 55 state, 57 intervention, 58 system, XX damage; and 25006 read-only
 * (a standby), 25P03 and 25P04 our own time limits, 26000 and 42P05 a pooler, 42501 rights, 42P01 no such table.
 */
const states =
  /^(08|28|3D|3F|53|55|57|58|XX)...$|^(25006|25P0[34]|26000|40001|40003|40P01|42501|42P01|42P05)$/

/** From the network. Only the database is reached without something in between that names itself. */
const networkCodes =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_\w+|EADDRNOTAVAIL)$/

const databaseTexts =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed|cached plan must not change result type/

function isOfDatabase(error: unknown): boolean {
  const { code = '', syscall, message = '' } = (error ?? {}) as NodeJS.ErrnoException
  return states.test(code) || networkCodes.test(code) || syscall === 'connect' || databaseTexts.test(message)
}

/** Whether an error comes from the disk: it is full, read-only or broken, or a file has disappeared. */
function isOfDisk(error: unknown): boolean {
  const { code, syscall, errno } = (error ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' && typeof errno === 'number' && syscall !== undefined
}
