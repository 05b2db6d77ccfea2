/** A message of an event: its text, and when, by the clock, it came. */
export type Heard = { event: number; id: number; text: string; at: number }

/** A message that was acknowledged. */
type Acknowledged = { id: number; text: string }

/**
 * What a listener has not heard as it was sent: each once, in order, and nothing else. `unsure`: texts whose sender has no answer, so
 * that they may have been sent or not.
 */
export function faultsOf(
  name: string,
  heard: Heard[],
  sent: Acknowledged[],
  unsure: ReadonlySet<string> = new Set(),
): string[] {
  const got = new Set(heard.map(({ id, text }) => `${id} ${text}`))
  const known = new Set(sent.map(({ text }) => text))
  const lost = sent.filter(({ id, text }) => !got.has(`${id} ${text}`)).map(({ id, text }) => `${id} ${text}`)
  const strange = heard.filter(({ text }) => !known.has(text) && !unsure.has(text)).map(({ text }) => text)
  const repeated = heard.length - new Set(heard.map(({ text }) => text)).size
  const isOrdered = (values: number[]) => values.every((value, i) => i === 0 || value > values[i - 1]!)
  const faults = [
    ...lost.map((message) => `lost: ${message}`),
    ...strange.map((text) => `nobody has sent: ${text}`),
    ...(repeated > 0 ? [`${repeated} repeated`] : []),
    ...(isOrdered(heard.map(({ event }) => event)) ? [] : ['events out of order']),
    ...(isOrdered(heard.map(({ id }) => id)) ? [] : ['messages out of order']),
  ]
  return faults.map((fault) => `${name}: ${fault}`)
}
