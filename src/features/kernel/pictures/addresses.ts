/** The source of avatars for users who have uploaded none, in organizations that want it. */
export const avatarProvider = 'https://secure.gravatar.com/avatar/'

/** Returns the address of a picture by its name, relative to the root of the organization's host. See store.ts. */
export function pictureUrl(realmId: number, name: string): string {
  return `/user_avatars/${realmId}/${name}`
}

/**
 * Returns the address of the pattern that is drawn for a seed when there is no picture. A user's seed is their id, so
 * the pattern reveals nothing about them. Clients derive the address of the larger size themselves, as for all
 * pictures.
 */
export function patternUrl(realmId: number, seed: string, medium = false): string {
  return pictureUrl(realmId, `drawn/${seed}${medium ? '-medium' : ''}.png`)
}
