/**
 * Where a browser goes once it is logged in: the path that was asked for, if it is one of ours; the account's page
 * otherwise. Whatever a browser could take for another host is not ours.
 */
export function safeNext(asked: string | undefined): string {
  if (!asked || !isPath(asked)) return '/account'
  // Coded, as it goes into a header.
  const { host, pathname, search, hash } = new URL(asked, 'http://here')
  const path = pathname + search + hash
  return host === 'here' && isPath(path) ? path : '/account'
}

function isPath(text: string) {
  return /^\/(?![/\\])[^\\\p{C}]*$/u.test(text)
}
