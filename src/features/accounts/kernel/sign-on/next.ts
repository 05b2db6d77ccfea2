/**
 * Returns the path for a browser after login: the requested path if it is on this server, and the account page
 * otherwise. Anything that a browser could take for another host is rejected.
 */
export function safeNext(asked: string | undefined): string {
  if (!asked || !isPath(asked)) return '/account'
  // Percent-encoded, because it is used in a header.
  const { host, pathname, search, hash } = new URL(asked, 'http://here')
  const path = pathname + search + hash
  return host === 'here' && isPath(path) ? path : '/account'
}

function isPath(text: string) {
  return /^\/(?![/\\])[^\\\p{C}]*$/u.test(text)
}
