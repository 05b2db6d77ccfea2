import { httpLimits } from '../limits.ts'

/**
 * Returns how many connections a process serves, and how many more it accepts to refuse them, if it may have this number of files open.
 * Without a limit of our own, the system would close connections silently, and uploads and the database would lack files as well.
 */
export function connectionRoom(files: number) {
  const room = Math.max(httpLimits.filesBesideConnections, files - httpLimits.filesBesideConnections)
  const connectionsRefused = Math.min(httpLimits.connectionsRefused, Math.floor(room / 10))
  const clientConnections = Math.min(httpLimits.clientConnections, room - connectionsRefused)
  return { clientConnections, connectionsRefused }
}
