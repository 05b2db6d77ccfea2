/**
 * Returns the path for a browser after login: the requested path if it is on this server, and the web client
 * otherwise. Anything that a browser could take for another host is rejected.
 */
export function safeNext(asked: string | undefined): string {
  if (!asked || !isPath(asked)) return '/'
  // Percent-encoded, because it is used in a header.
  const { host, pathname, search, hash } = new URL(asked, 'http://here')
  const path = pathname + search + hash
  return host === 'here' && isPath(path) ? path : '/'
}

function isPath(text: string) {
  return /^\/(?![/\\])[^\\\p{C}]*$/u.test(text)
}
