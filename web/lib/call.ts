/** The ids of the providers of calls, as the API has them. */
export const providers = { none: 0, jitsi: 1, zoom: 3, bigBlueButton: 4 } as const

/** Returns the address of a new call at a Jitsi server. Its name is random, so nobody guesses it. */
export function jitsiCall(server: string, isVideo: boolean): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  const name = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${server.replace(/\/+$/, '')}/${name}#config.startWithVideoMuted=${!isVideo}`
}
