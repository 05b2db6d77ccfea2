import { httpLimits } from '../limits.ts'

/**
 * Returns how many connections of clients a process has room for that may have this number of files open. Without a limit of ours below
 * that of the system, the system would close connections without a word, and uploads and the database would lack files as well.
 */
export function connectionRoom(files: number) {
  const room = Math.max(httpLimits.filesBesideConnections, files - httpLimits.filesBesideConnections)
  const connectionsRefused = Math.min(httpLimits.connectionsRefused, Math.floor(room / 10))
  const clientConnections = Math.min(httpLimits.clientConnections, room - connectionsRefused)
  return { clientConnections, connectionsRefused }
}
