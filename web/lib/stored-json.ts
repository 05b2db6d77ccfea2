/** Returns what a storage of the browser holds as JSON under a name; `otherwise`, if that is nothing or damaged. */
export function storedJson<T>(storage: Storage, name: string, otherwise: T): T {
  try {
    return JSON.parse(storage.getItem(name) ?? '') as T
  } catch {
    return otherwise
  }
}
