/** The address of a picture by its name, from the root of the organization's host. See store.ts. */
export function pictureUrl(realmId: number, name: string): string {
  return `/user_avatars/${realmId}/${name}`
}

/**
 * The address of the pattern that is drawn for a seed, where there is no picture: for people the seed is their id, so that
 * nothing of them can be guessed from it. Clients make the address of the larger one themselves, as for all pictures.
 */
export function patternUrl(realmId: number, seed: string, medium = false): string {
  return pictureUrl(realmId, `drawn/${seed}${medium ? '-medium' : ''}.png`)
}
