import type { Resource } from 'solid-js'

/** What a resource has, if it has it: to read one that has failed throws, and takes the whole view away. */
export function valueIn<T>(resource: Resource<T>): T | undefined {
  return resource.error ? undefined : resource()
}
