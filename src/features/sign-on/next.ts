/**
 * Where a browser goes once it is logged in: the path that was asked for, if it is one of ours; the account's page
 * otherwise. Whatever a browser could take for another host is not ours.
 */
export function safeNext(asked: string | undefined): string {
  if (!asked || !/^\/(?![/\\])[^\\\p{C}]*$/u.test(asked)) return '/account'
  return new URL(asked, 'http://here').host === 'here' ? asked : '/account'
}
