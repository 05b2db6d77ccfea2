import { createPublicKey, type KeyObject } from 'node:crypto'

/** The least number of characters of a secret that cannot be guessed. */
const shortestSecret = 32
/** Bits of an RSA key. */
const shortestModulus = 2048

/** Why a key cannot check tokens that are signed in this way, in words that complete "must be …". */
export function jwtKeyFault(key: string, algorithm: string): string | undefined {
  if (algorithm.startsWith('HS')) {
    // A public key is known to everyone; as a shared secret, it would let anyone sign.
    const isSecret = !key.includes('-----BEGIN ') && [...key.trim()].length >= shortestSecret
    return isSecret ? undefined : `a shared secret of ${shortestSecret} characters or more`
  }
  const what = publicKeys[algorithm]
  const read = publicKeyIn(key)
  return what && read && what.fits(read)
    ? undefined
    : `${what?.name ?? 'a public key'} in PEM (BEGIN PUBLIC KEY)`
}

const publicKeys: Record<string, { name: string; fits: (key: KeyObject) => boolean }> = {
  RS256: {
    name: `an RSA public key of ${shortestModulus} bits or more`,
    fits: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= shortestModulus,
  },
  ES256: {
    name: 'a public key on the curve P-256',
    fits: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1',
  },
  EdDSA: { name: 'an Ed25519 public key', fits: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519' },
}

/** Certificates and private keys are none. */
function publicKeyIn(text: string): KeyObject | undefined {
  if (!text.includes('-----BEGIN PUBLIC KEY-----')) return undefined
  try {
    return createPublicKey(text)
  } catch {
    return undefined
  }
}
