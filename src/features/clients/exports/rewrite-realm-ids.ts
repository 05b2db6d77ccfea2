/**
 * The rows of an organization that has another id here than where it comes from. All other ids stay; but the addresses
 * of uploads and pictures have the organization's in them, in messages and wherever else people have put them. Addresses
 * that name a host are left alone: they lead to where they led.
 */
export function rewriteRealmIds(table: string, rows: string[], from: number, to: number): string[] {
  // In JSON, a line break before an address is "\n": the letter does not belong to a host's name.
  const address = new RegExp(
    `((?:(?<![\\w.:-])|(?<=\\\\[nrt]))/(?:user_uploads/(?:thumbnail/|download/)?|user_avatars/))${from}/`,
    'g',
  )
  const inText = rows.map((row) => row.replace(address, `$1${to}/`))
  if (table !== 'attachment') return inText
  return inText.map((row) => row.replace(`"path":"${from}/`, `"path":"${to}/`))
}
