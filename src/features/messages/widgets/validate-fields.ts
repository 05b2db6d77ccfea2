/** The expected type of a field, and its name in errors. */
type Kind = 'string' | 'int' | 'bool' | 'vote'

/**
 * Returns the first error of an object that should have exactly these fields, if any. `name` is the object's name in
 * the error.
 */
export function validateFields(
  name: string,
  value: Record<string, unknown>,
  fields: Record<string, Kind>,
): string | undefined {
  for (const [key, kind] of Object.entries(fields)) {
    if (!Object.hasOwn(value, key)) return `${key} key is missing from ${name}`
    const flaw = flawOfField(`${name}["${key}"]`, value[key], kind)
    if (flaw) return flaw
  }
  const others = Object.keys(value).filter((key) => !Object.hasOwn(fields, key))
  return others.length > 0 ? `Unexpected arguments: ${others.join(', ')}` : undefined
}

function flawOfField(place: string, value: unknown, kind: Kind): string | undefined {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? undefined : `${place} is not a string`
    case 'bool':
      return typeof value === 'boolean' ? undefined : `${place} is not a boolean`
    case 'int':
      return Number.isSafeInteger(value) ? undefined : `${place} is not an integer`
    case 'vote':
      if (!Number.isSafeInteger(value)) return `${place} is not an integer`
      return value === 1 || value === -1 ? undefined : `Invalid ${place}`
  }
}
