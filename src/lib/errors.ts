// A caught value may be anything; these read from it the fields of errors of Node and of PostgreSQL.

/** The code of an error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  return textIn(error, 'code')
}

/** The constraint that a row did not keep, if the error is about one. */
export function constraintOf(error: unknown): string | undefined {
  return textIn(error, 'constraint')
}

export function messageOf(error: unknown): string {
  return textIn(error, 'message') ?? String(error)
}

function textIn(error: unknown, name: string): string | undefined {
  const value: unknown = error instanceof Object ? Reflect.get(error, name) : undefined
  return typeof value === 'string' ? value : undefined
}
