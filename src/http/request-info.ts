import type { ServerResponse } from 'node:http'
import { guard, ignore } from '../lib/guard.ts'
import type { Actor } from '../log/audit/actor.ts'
import type { FormFields } from './body/body.ts'
import { type Caller, checkCallerIsValid } from './callers/authenticate.ts'
import { pathOf } from './connection/head.ts'
import type { Endpoint, RequestInfo } from './endpoint.ts'
import { httpLimits } from './limits.ts'
import type { Exchange } from './node-services.ts'
import { logComponent } from './responses/answer.ts'

/** Returns the properties of a request that its operation receives. */
export function requestInfo(
  { services, log, request, reply }: Exchange,
  caller: Caller | null,
  sent: FormFields,
  body: Buffer,
): RequestInfo {
  return {
    keyId: caller?.key?.id ?? null,
    sessionId: caller?.session?.id ?? null,
    client: clientName(sent.get('client'), request.headers['user-agent'], caller?.session !== undefined),
    ip: request.ip,
    body,
    path: pathOf(request.url),
    header: (name) => request.headers[name]?.toString(),
    gone() {
      const controller = new AbortController()
      whenGone(reply.raw, () => controller.abort(requestOver))
      return controller.signal
    },
    whenGone: (leave) => whenGone(reply.raw, leave),
    releasePlace() {},
    report: (error) => logComponent(request, error),
    login: null,
    refuseLogin: (refused) => services.logins.refuse(log.state, request, refused),
    checkLogin() {
      if (caller) checkCallerIsValid(log.state, caller)
    },
  }
}

/** Calls `leave` when the response is closed. Returns the function that cancels this. */
function whenGone(response: ServerResponse, leave: () => void): () => void {
  if (response.destroyed) {
    leave()
    return ignore
  }
  const close = guard(ignore, leave)
  response.once('close', close)
  return () => response.off('close', close)
}

/**
 * The reason with which signals abort: one object for all requests, since creating an error for each would record a
 * stack trace.
 */
const requestOver = new DOMException('The request is over', 'AbortError')

/** Returns the actor of a request for the audit log. */
export function actorOf({ method, path }: Endpoint, caller: Caller | null, request: RequestInfo): Actor {
  const { keyId, sessionId, ip } = request
  return {
    userId: caller?.user.id ?? null,
    means: keyId !== null ? 'key' : sessionId !== null ? 'session' : 'none',
    meansId: keyId ?? sessionId,
    operation: `${method} ${path}`,
    client: auditedClient(request.header('user-agent')),
    ip,
    osUser: null,
  }
}

/** Returns a User-Agent as the audit log has it. */
export function auditedClient(userAgent: string | undefined): string | null {
  return userAgent?.slice(0, httpLimits.auditedClientLength) ?? null
}

// Some clients name themselves in a parameter. For others, the name is the text before the slash in the User-Agent. All browsers have the
// same text there; one with a session shows a page of this server, so it gets the name that clients know for that.
function clientName(given: string | undefined, userAgent: string | undefined, hasSession: boolean) {
  const name = given || /^\s*([^\s/]+)/.exec(userAgent ?? '')?.[1] || 'Unspecified'
  return hasSession && name === 'Mozilla' ? 'website' : name.slice(0, 30)
}
