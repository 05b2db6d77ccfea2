import { type Answer, encode, type Place, type Sent, send } from './http.ts'

/** Gets a page, as a browser does. */
export function getPage({ place }: { place: Place }, path: string, headers = {}): Promise<Answer> {
  return send(place, { method: 'GET', path, headers: { accept: 'text/html', ...headers } })
}

/** Submits the form of a page, as a browser does. */
export function submitForm(
  { place }: { place: Place },
  path: string,
  fields: Sent,
  headers = {},
): Promise<Answer> {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${place.host}` }
  const all = { accept: 'text/html', ...form, ...headers }
  return send(place, { method: 'POST', path, headers: all, body: encode(fields) })
}
