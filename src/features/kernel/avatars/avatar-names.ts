/** The file name of an uploaded avatar in the picture store. Clients derive the name of the larger one themselves. */
export function avatarName(file: string, options: { medium: boolean }): string {
  return `${file}${options.medium ? '-medium' : ''}.png`
}

/** Returns the names of all pictures of an avatar; an empty list if the user has uploaded none. */
export function avatarFiles(file: string | null): string[] {
  return file === null ? [] : [false, true].map((medium) => avatarName(file, { medium }))
}
