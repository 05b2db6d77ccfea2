/** Returns the path of an export's file in the store. */
export function exportPath(realmId: number, file: string): string {
  return `${realmId}/exports/${file}`
}
