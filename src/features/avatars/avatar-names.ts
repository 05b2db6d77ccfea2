/** The name that an uploaded avatar has among the pictures. Clients make the name of the larger one themselves. */
export function avatarName(file: string, options: { medium: boolean }): string {
  return `${file}${options.medium ? '-medium' : ''}.png`
}
