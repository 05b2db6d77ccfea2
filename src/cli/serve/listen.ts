import type { Http } from '../../app.ts'
import { type Config, defaultPublicUrl } from '../../config/config.ts'
import { listen } from '../../http/connection/listen.ts'
import { codeOf, messageOf } from '../../lib/errors.ts'

/** The address at which a server is to listen, and the settings that give it. */
type Place = { host: string; port: number; settings: { host: string; port: string } }

/** Returns the error for the admin if a server cannot listen: one sentence, with the setting to change. */
export function listenFault(error: unknown, { host, port, settings }: Place): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `another process does already; set ${settings.port} to another one`,
    EACCES: `this user may not; set ${settings.port} to 1024 or above`,
    EADDRNOTAVAIL: `this machine does not have that address; set ${settings.host} to one it has`,
    ENOTFOUND: `the name is unknown; set ${settings.host} to an address of this machine`,
  }
  const reason = reasons[codeOf(error) ?? ''] ?? messageOf(error)
  return new Error(`The server cannot listen on ${host} port ${port}: ${reason}.`, { cause: error })
}

/** The public URL of a server that listens on this port, which may not be the one that the settings name. */
export function publicUrlOn(port: number, { host, publicUrl }: Config): string {
  return publicUrl === defaultPublicUrl(host, 0) ? defaultPublicUrl(host, port) : publicUrl
}

/** Listens; returns the port. */
export function listenOn({ server }: Http, { host, port }: Config): Promise<number> {
  return listen(server, { host, port }).catch((error) => {
    throw listenFault(error, { host, port, settings: { host: 'HOST', port: 'PORT' } })
  })
}
