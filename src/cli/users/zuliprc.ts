/** A key as the Python client and its relatives read it. */
export function zuliprc(email: string, key: string, site: string): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`
}
