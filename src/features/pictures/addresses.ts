/** The address of a picture by its name, from the root of the organization's host. See store.ts. */
export function pictureUrl(realmId: number, name: string): string {
  return `/user_avatars/${realmId}/${name}`
}
