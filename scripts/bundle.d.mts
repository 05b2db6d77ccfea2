/** What the program is started with. */
export const options: string[]

/** Returns the path of the program. */
export function bundle(directory: string, commit?: string): Promise<string>
