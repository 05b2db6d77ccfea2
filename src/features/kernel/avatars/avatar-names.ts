/** The name that an uploaded avatar has among the pictures. Clients make the name of the larger one themselves. */
export function avatarName(file: string, options: { medium: boolean }): string {
  return `${file}${options.medium ? '-medium' : ''}.png`
}

/** The names of all pictures of an avatar; none for somebody who has uploaded none. */
export function avatarFiles(file: string | null): string[] {
  return file === null ? [] : [false, true].map((medium) => avatarName(file, { medium }))
}
