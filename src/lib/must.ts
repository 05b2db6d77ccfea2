/** Returns a value that must be there; `what` says in the error what is missing. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`there is no ${what}`)
  return value
}

/** The first item of a list that has one. */
export function firstIn<T>(list: readonly T[]): T {
  const [first] = list
  if (first === undefined) throw new Error('an empty list has no first item')
  return first
}

/** The last item of a list that has one. */
export function lastIn<T>(list: readonly T[]): T {
  const last = list.at(-1)
  if (last === undefined) throw new Error('an empty list has no last item')
  return last
}
