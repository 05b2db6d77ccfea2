/** Returns whether a key can be used for encryption. Not every text of the right length is a valid key. */
export async function canSealTo(publicKey: string): Promise<boolean> {
  return seal(publicKey, '').then(
    () => true,
    () => false,
  )
}

/**
 * Encrypts a text so that only the holder of the secret key can read it (libsodium's sealed box). The key and the
 * result are in standard base64.
 */
export async function seal(publicKey: string, text: string): Promise<string> {
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  const sealed = sodium.crypto_box_seal(Buffer.from(text), Buffer.from(publicKey, 'base64'))
  return Buffer.from(sealed).toString('base64')
}
