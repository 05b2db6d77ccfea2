/** Returns a part of an address without its escapes; as it stands, if it cannot be decoded. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
