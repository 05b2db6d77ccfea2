/** The options of Node with which the program is started. */
export const nodeOptions: string[]

/** Returns the path of the program. */
export function bundle(directory: string, commit?: string): Promise<string>
