/** The names in an object whose type lists them all. */
export function namesIn<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[]
}

/** An object with a value for each of the names, which are not a user's: one of them, `__proto__`, would be no property. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  // Object.fromEntries takes twice as long or more, and a list may have ten thousand channels with as many permissions each.
  const record: Partial<Record<Name, Value>> = {}
  for (const name of names) record[name] = valueFor(name)
  return record as Record<Name, Value>
}
