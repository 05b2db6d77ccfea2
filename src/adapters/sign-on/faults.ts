import { type Component, ComponentError } from '../../lib/component.ts'
import { codeOf } from '../../lib/errors.ts'

/** Explains a failed request to a service for users; undefined for errors that are not about reaching it. */
export function connectionFault(service: Component, error: unknown): ComponentError | undefined {
  const fault = (says: string) => new ComponentError(service, `The ${service} ${says}`, error)
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause)
    const says = code !== undefined ? (faults.get(code) ?? familyOf(code)) : undefined
    if (says) return fault(says)
    if (/timeout|timed out|aborted/i.test(cause.message) || /Timeout|Abort/.test(cause.name)) {
      return fault('does not answer.')
    }
  }
  return isFetchFailed(error) ? fault('cannot be reached.') : undefined
}

function isFetchFailed(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TypeError && cause.message === 'fetch failed') return true
  }
  return false
}

const faults = new Map([
  ['ECONNREFUSED', 'cannot be reached.'],
  ['ECONNRESET', 'has broken off the connection.'],
  ['EHOSTUNREACH', 'cannot be reached.'],
  ['ENETUNREACH', 'cannot be reached.'],
  ['ENOTFOUND', 'cannot be found: its name does not exist.'],
  ['EAI_AGAIN', 'cannot be found at the moment.'],
  ['ETIMEDOUT', 'does not answer.'],
  ['UND_ERR_SOCKET', 'has broken off the connection.'],
  ['CERT_HAS_EXPIRED', 'shows a certificate that has expired.'],
  ['CERT_NOT_YET_VALID', 'shows a certificate that is not valid yet.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'shows a certificate that nobody vouches for.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'shows a certificate that nobody vouches for.'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'shows a certificate that nobody vouches for.'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'shows a certificate that nobody vouches for.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'shows a certificate for another name.'],
])

function familyOf(code: string) {
  if (/^(ERR_SSL|EPROTO)/.test(code)) return 'does not speak TLS as it should.'
  return /TIMEOUT/.test(code) ? 'does not answer.' : undefined
}
