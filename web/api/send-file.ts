import { once, send } from './client.ts'

/** Sends a file with other parameters, once however often the user tries. Texts go as they are, other values as JSON. */
export function sendFile<T>(
  path: string,
  file: Blob,
  params: Record<string, unknown> = {},
  method = 'POST',
): Promise<T> {
  const body = new FormData()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) body.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const name = file instanceof File ? file.name : 'picture.png'
  body.set('file', file, name)
  return once(path + JSON.stringify([params, name, file.size]), (options) =>
    send(`/json${path}`, { method, body, ...options }),
  )
}
