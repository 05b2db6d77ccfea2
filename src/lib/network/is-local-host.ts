/** Whether a host, as in a setting or in a URL, is this machine itself. */
export function isLocalHost(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host)
}
