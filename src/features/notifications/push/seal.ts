/** Whether anything can be encrypted to a key: not every text of the right length is one. */
export async function canSealTo(publicKey: string): Promise<boolean> {
  return seal(publicKey, '').then(
    () => true,
    () => false,
  )
}

/**
 * Encrypts a text so that only whoever has the secret half of a key can read it (libsodium's sealed box). The key and
 * the answer are in standard base64.
 */
export async function seal(publicKey: string, text: string): Promise<string> {
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  const sealed = sodium.crypto_box_seal(Buffer.from(text), Buffer.from(publicKey, 'base64'))
  return Buffer.from(sealed).toString('base64')
}
