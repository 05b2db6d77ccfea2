/** Where the file of an export is in the store. */
export function exportPath(realmId: number, file: string): string {
  return `${realmId}/exports/${file}`
}
