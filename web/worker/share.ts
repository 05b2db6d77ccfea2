import { keepShared, shareAddress } from '../lib/shared.ts'

declare const self: ServiceWorkerGlobalScope

/** Whether the system shares something: a form that leads a whole tab here. Pages of other sites must not. */
export function isShare({ method, mode, destination, url, referrer }: Request): boolean {
  if (method !== 'POST' || mode !== 'navigate' || destination !== 'document') return false
  const isFromHere = referrer === '' || new URL(referrer).origin === self.location.origin
  return new URL(url).pathname === shareAddress && isFromHere
}

/** Keeps what is shared for the page, which asks the user where it goes. */
export async function takeShare(request: Request): Promise<Response> {
  await keepShared(await request.formData())
  return Response.redirect('/#share', 303)
}
