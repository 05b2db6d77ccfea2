/** Loads a part of the client together with the texts that the first load leaves out. */
export async function loadWithTexts<T>(load: () => Promise<T>): Promise<T> {
  return (await import('./more-texts.ts')).withTexts(load)
}
