/** The user of the browser's session, by the cookie that the server sets beside it. */
export function signedInAs(): number | undefined {
  const found = /(?:^|; )rookery-user=(\d+)/.exec(document.cookie)?.[1]
  return found === undefined ? undefined : Number(found)
}
