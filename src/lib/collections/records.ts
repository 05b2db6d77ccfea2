/** Returns the names of an object's fields, given that its type lists all of them. */
export function namesIn<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[]
}

/** Returns an object with a value for each of the names. They must not come from users, as `__proto__` would not become a field. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  // Object.fromEntries takes twice as long or more, and a list may have ten thousand channels with as many permissions each.
  const record: Partial<Record<Name, Value>> = {}
  for (const name of names) record[name] = valueFor(name)
  return record as Record<Name, Value>
}
