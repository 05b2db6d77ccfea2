import { httpLimits } from '../http/limits.ts'
import { connectionRoom } from '../http/overload/connection-room.ts'

/** Returns a fault if a server may open too few files to have room for many clients. */
export function openFilesFault(allowed: number): { what: string; advice: string } | undefined {
  const { clientConnections } = connectionRoom(allowed)
  if (clientConnections >= httpLimits.connectionsExpected) return undefined
  return {
    what: `the server may have ${allowed} files open, so it serves ${clientConnections} connections of clients and refuses more`,
    advice:
      'Raise that limit: LimitNOFILE= in its systemd unit, --ulimit nofile= of Docker, or ulimit -n before its start.',
  }
}
