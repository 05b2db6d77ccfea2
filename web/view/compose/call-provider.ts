import { providers } from '../../lib/call.ts'
import { field } from '../../store/server-state.ts'

/** Returns the address of the organization's server of Jitsi calls. */
export function jitsiServer(): string | null {
  return field('realm_jitsi_server_url') ?? field('server_jitsi_server_url')
}

/** Returns the provider with which the organization makes calls, if there is one, and this server has it. */
export function callProvider(): number | undefined {
  const chosen = field('realm_video_chat_provider')
  const available = Object.values(field('realm_available_video_chat_providers') ?? {})
  if (chosen === providers.none || !available.some(({ id }) => id === chosen)) return undefined
  return chosen === providers.jitsi && !jitsiServer() ? undefined : chosen
}
