import { checkOwner, failureOf, unreachable } from './client.ts'

/** Sends a file with other parameters. Texts go as they are, other values as JSON. */
export async function sendFile<T>(
  path: string,
  file: Blob,
  params: Record<string, unknown> = {},
  method = 'POST',
): Promise<T> {
  const body = new FormData()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) body.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  body.set('file', file, file instanceof File ? file.name : 'picture.png')
  checkOwner()
  const response = await fetch(`/json${path}`, { method, body, credentials: 'same-origin' }).catch(() => {
    throw unreachable()
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw failureOf(response, answer)
}
