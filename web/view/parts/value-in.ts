import type { Resource } from 'solid-js'

/** Returns the value of a resource, if it has one. To read a resource that has failed throws, and would remove the whole view. */
export function valueIn<T>(resource: Resource<T>): T | undefined {
  return resource.error ? undefined : resource()
}
